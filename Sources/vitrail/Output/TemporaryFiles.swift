import Glibc
import MediaIO

/// The incomplete files, which are removed when the program is interrupted.
///
/// **Thread:** any.
final class TemporaryFiles: Sendable {
    private let paths = Monitor<Set<String>>([])

    /// Creates a file and records it, in one step: a signal comes before both or after both.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - open: creates the file and returns its descriptor, or a negative number.
    /// - Returns: what `open` returns.
    func create(_ path: String, _ open: () -> Int32) -> Int32 {
        paths.withLock { paths in
            let descriptor = open()
            if descriptor >= 0 { paths.insert(path) }
            return descriptor
        }
    }

    /// Removes the record of a file that is complete or deleted.
    func remove(_ path: String) {
        paths.withLock { _ = $0.remove(path) }
    }

    /// Makes a record whose files are deleted when a signal ends the program: SIGINT, SIGTERM, SIGHUP, SIGQUIT.
    ///
    /// The signals are blocked in this thread and all threads that it starts, and one thread waits for them, so none of
    /// this runs inside a signal handler. Call it before anything else starts a thread, as Pango does for its fonts: a
    /// thread that does not block the signals would take them, and the program would end at once.
    ///
    /// - Throws: ``ProgramError`` if the system cannot start another thread.
    static func removedOnSignals() throws(ProgramError) -> TemporaryFiles {
        let files = TemporaryFiles()
        var signals = sigset_t()
        sigemptyset(&signals)
        let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        for signal in all where !SignalHandling.isIgnored(signal) { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do throws(StreamError) {
            try SystemThread(for: "signals") { [signals] in files.awaitOne(of: signals) }.detach()
        } catch {
            throw ProgramError(.failed, error.description)
        }
        return files
    }

    private func awaitOne(of signals: sigset_t) {
        var (signals, number) = (signals, Int32(0))
        guard sigwait(&signals, &number) == 0 else { return }
        paths.withLock { paths in
            for path in paths { unlink(path) }
            // The shell must see that the signal ended the program, so it ends by the signal, and here, while no other
            // thread can create a file.
            signal(number, SIG_DFL)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
        }
    }
}

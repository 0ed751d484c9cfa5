import Glibc
import MediaIO

/// The incomplete files, which are removed when the program is interrupted.
///
/// **Thread:** any.
final class TemporaryFiles: Sendable {
    private let paths = Monitor<Set<String>>([])

    /// Records a file.
    func insert(_ path: String) {
        paths.withLock { _ = $0.insert(path) }
    }

    /// Removes the record of a file that is complete or deleted.
    func remove(_ path: String) {
        paths.withLock { _ = $0.remove(path) }
    }

    /// From now on, deletes all recorded files when a signal ends the program: SIGINT, SIGTERM, SIGHUP.
    ///
    /// The signals are blocked in this thread and all threads that it starts, and one thread waits for them, so none of
    /// this runs inside a signal handler. Called once, before other threads are made.
    ///
    /// - Throws: ``ProgramError`` if the system cannot start another thread.
    func removeOnSignals() throws(ProgramError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(signal) { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do throws(StreamError) {
            try SystemThread(for: "signals") { [self, signals] in awaitOne(of: signals) }.detach()
        } catch {
            throw ProgramError(.failed, error.description)
        }
    }

    private func awaitOne(of signals: sigset_t) {
        var (signals, number) = (signals, Int32(0))
        guard sigwait(&signals, &number) == 0 else { return }
        paths.withLock { paths in
            for path in paths { unlink(path) }
        }
        // The shell must see that the signal ended the program.
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }

    /// Whether the parent process made us ignore the signal, as `nohup` does.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

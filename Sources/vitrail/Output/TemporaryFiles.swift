import Glibc
import MediaIO

/// The incomplete files, which are removed when the program is interrupted.
///
/// **Thread:** any.
final class TemporaryFiles: Sendable {
    /// What is completed before a signal ends the program.
    private struct Completion {
        /// Begins it; `nil` if there is nothing to complete.
        var begin: (@Sendable () -> Void)?
        var isInterrupted = false
        var isDone = false
    }

    private let paths = Monitor<Set<String>>([])
    private let completion = Monitor(Completion())
    /// How long a signal waits for that: recordings, outputs, a snapshot and a clip on a slow disk take 36 s together at most.
    private static let longestCompletion = Duration.seconds(40)

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

    /// Has a signal wait until ``finishCompletion()``; a second signal does not.
    ///
    /// - Parameter begin: called when a signal comes, on a thread of its own.
    func completeFirst(begin: @escaping @Sendable () -> Void) { completion.change { $0.begin = begin } }

    /// Whether a signal waits for what is to be completed.
    var isInterrupted: Bool { completion.withLock { $0.isInterrupted } }

    /// Ends the wait of a signal, which then ends the program: this returns only if there is none.
    func finishCompletion() {
        let isInterrupted = completion.change { completion in
            (completion.begin, completion.isDone) = (nil, true)
            return completion.isInterrupted
        }
        while isInterrupted { pause() }
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
        let begin = completion.change { completion in
            completion.isInterrupted = completion.begin != nil
            return completion.begin
        }
        if let begin {
            begin()
            let end = MonotonicTime.now + Self.longestCompletion
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            while !completion.withLock({ $0.isDone }), .now < end, sigtimedwait(&signals, nil, &pause) < 0 {}
        }
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

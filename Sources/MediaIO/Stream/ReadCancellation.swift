import Synchronization

/// Cancels a reader's wait for a network or a slow pipe from another thread.
///
///     let cancellation = ReadCancellation()
///     let source = PacedSource(name: "door", cancellation: cancellation) {
///         try MediaReader(location, cancellation: cancellation)
///     }
///
/// **Thread:** any. **Cost:** rare.
public final class ReadCancellation: Sendable {
    private let flag = Atomic(false)
    /// The pipes to wake, held weakly.
    private let waiting = Monitor<[Pipe]>([])

    private struct Pipe {
        weak var pipe: WakePipe?
    }

    /// Creates a cancellation that is not triggered.
    public init() {}

    /// Makes every reader with this object stop waiting and throw, within a tenth of a second, permanently.
    ///
    /// Only the resolution of a host name cannot be cancelled, because the C library does not support that.
    public func cancel() {
        flag.store(true, ordering: .releasing)
        let waiting = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for entry in waiting { entry.pipe?.wake() }
    }

    /// Whether it was triggered.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Wakes a pipe once, when the cancellation is triggered; immediately if it already was.
    ///
    /// The pipe is held weakly, because one cancellation may serve many readers that come and go.
    package func onCancel(wake pipe: WakePipe) {
        waiting.withLock { waiting in
            waiting.removeAll { $0.pipe == nil }
            waiting.append(Pipe(pipe: pipe))
        }
        // If the cancellation is triggered in between, the thread that takes the pipes wakes them.
        if isCancelled { cancel() }
    }
}

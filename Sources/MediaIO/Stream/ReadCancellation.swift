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
    private let handlers = Monitor<[@Sendable () -> Void]>([])

    /// Creates a cancellation that is not triggered.
    public init() {}

    /// Makes every reader with this object stop waiting and throw, within a tenth of a second, permanently.
    ///
    /// Only the resolution of a host name cannot be cancelled, because the C library does not support that.
    public func cancel() {
        flag.store(true, ordering: .releasing)
        let waiting = handlers.withLock { handlers in
            defer { handlers = [] }
            return handlers
        }
        for handler in waiting { handler() }
    }

    /// Whether it was triggered.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Calls a handler once, when it is triggered; immediately if it was.
    package func onCancel(_ handler: @escaping @Sendable () -> Void) {
        handlers.withLock { $0.append(handler) }
        // If it was triggered in between, whoever takes the handlers calls them.
        if isCancelled { cancel() }
    }
}

import Synchronization

/// Cancels a reader's wait for a network or a slow pipe from another thread.
///
///     let cancellation = ReadCancellation()
///     let source = PacedSource(name: "door", cancellation: cancellation) {
///         try MediaReader(location, cancellation: cancellation)
///     }
///
/// **Thread:** any. **Cost:** one atomic store.
public final class ReadCancellation: Sendable {
    private let flag = Atomic(false)

    /// Creates a cancellation that is not triggered.
    public init() {}

    /// Makes every reader with this object stop waiting and throw, within a tenth of a second, permanently.
    ///
    /// Only the resolution of a host name cannot be cancelled, because the C library does not support that.
    public func cancel() { flag.store(true, ordering: .releasing) }

    /// Whether it was triggered.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}

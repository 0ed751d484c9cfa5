import Synchronization

/// Ends the waiting of a reader from another thread: for a network, or for a pipe whose writer is slow.
///
///     let cancellation = ReadCancellation()
///     let source = PacedSource(name: "door", cancellation: cancellation) { () throws(StreamError) in
///         try MediaReader(location, cancellation: cancellation)
///     }
///
/// **Thread:** any. **Cost:** one atomic store.
public final class ReadCancellation: Sendable {
    private let flag = Atomic(false)

    /// Creates one that has not happened.
    public init() {}

    /// Makes every reader that was given this object stop waiting and throw, within a tenth of a second; for good.
    ///
    /// The resolution of a host name is the one wait that the C library does not let anyone cut short.
    public func cancel() { flag.store(true, ordering: .releasing) }

    /// Whether it has happened.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}

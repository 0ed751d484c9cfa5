import Synchronization

/// Ends the waiting of a ``MediaFileReader`` from another thread.
///
/// A read from a network may wait as long as ``MediaFileReader/Options/timeout`` says. Whoever must not wait keeps one
/// of these and hands it to the reader:
///
///     let cancellation = MediaCancellation()
///     let source = ReaderSource(name: "door", cancel: { cancellation.cancel() }) { () throws(StreamError) in
///         try MediaFileReader(location, cancellation: cancellation)
///     }
///
/// **Thread:** any. **Cost:** one atomic store.
public final class MediaCancellation: Sendable {
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

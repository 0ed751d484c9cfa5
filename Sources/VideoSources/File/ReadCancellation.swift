import Glibc
public import MediaIO

/// Ends a read that waits for a pipe whose writer is slow, from another thread.
///
///     let cancellation = try ReadCancellation()
///     let source = ReaderSource(name: "-", cancel: { cancellation.cancel() }) { () throws(StreamError) in
///         try Y4MReader(descriptor: 0, name: "standard input", cancellation: cancellation)
///     }
///
/// **Thread:** any.
public final class ReadCancellation: Sendable {
    /// Readable as soon as it was cancelled; something that `poll` can wait for.
    let descriptor: Int32
    private let trigger: Int32

    /// Makes one that is not cancelled.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` when too many files are open.
    public init() throws(StreamError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw StreamError(
                .cannotOpen,
                "No pipe can be made: \(describe(errno)). Close some files, or raise the limit (ulimit -n).",
                underlying: errno)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (descriptor, trigger) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(trigger)
    }

    /// Makes the read that waits, and every later one that would wait, throw at once.
    ///
    /// It stays so; once is enough.
    public func cancel() {
        var byte: UInt8 = 1
        _ = write(trigger, &byte, 1)
    }
}

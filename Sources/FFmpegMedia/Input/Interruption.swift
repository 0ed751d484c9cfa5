import CVitrailFFmpeg
import MediaIO
import Synchronization

/// Tells libavformat to stop waiting: when cancelled, or when nothing came for too long.
final class Interruption: Sendable {
    private let cancellation: ReadCancellation
    private let timeout: Duration
    /// Microseconds of the library's clock, or the largest number when nothing is waited for.
    private let deadline = Atomic(Int64.max)

    init(_ cancellation: ReadCancellation, timeout: Duration) {
        self.cancellation = cancellation
        self.timeout = timeout
    }

    /// The time-out in microseconds.
    var timeoutMicroseconds: Int64 {
        let (seconds, attoseconds) = timeout.components
        // A day is as good as for ever, and keeps the sum from overflowing.
        return min(max(seconds, 0), 86_400) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000
    }

    /// Gives what comes next the whole time-out.
    func arm() { deadline.store(av_gettime_relative() + timeoutMicroseconds, ordering: .relaxed) }

    /// Whether nobody wants to read any more.
    var isCancelled: Bool { cancellation.isCancelled }

    /// Whether waiting must end now.
    var isDue: Bool { cancellation.isCancelled || hasTimedOut }

    private var hasTimedOut: Bool { av_gettime_relative() > deadline.load(ordering: .relaxed) }

    /// Why waiting ended, or `nil` when it need not.
    func error(_ location: MediaLocation) -> StreamError? {
        if cancellation.isCancelled {
            return StreamError(.readFailed, "Reading \(location) was cancelled.", underlying: vitrail_averror_exit)
        }
        return hasTimedOut ? timeoutError(location) : nil
    }

    /// Says that nothing came.
    func timeoutError(_ location: MediaLocation) -> StreamError {
        StreamError(
            .readFailed,
            "Nothing came from \(location) for \(timeout): check that the sender is sending, and that a firewall lets it through.",
            underlying: vitrail_averror(ETIMEDOUT))
    }

    /// The form in which the library asks; valid while `self` is.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isDue ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}

import CVitrailFFmpeg
import MediaIO
import Synchronization

/// Tells libavformat to stop waiting: when cancelled, or when a time-out passes.
final class Interruption: Sendable {
    private let cancellation: ReadCancellation
    private let timeout: Duration
    /// The end of the wait in microseconds of the library's clock, or the largest number for no limit.
    private let deadline = Atomic(Int64.max)
    private let fired = Atomic(false)

    init(_ cancellation: ReadCancellation, timeout: Duration) {
        self.cancellation = cancellation
        self.timeout = timeout
    }

    /// The time-out in microseconds.
    var timeoutMicroseconds: Int64 {
        let (seconds, attoseconds) = timeout.components
        // The maximum is a day, which keeps the sum from overflowing.
        return min(max(seconds, 0), 86_400) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000
    }

    /// Starts the time-out anew.
    func arm() { deadline.store(av_gettime_relative() + timeoutMicroseconds, ordering: .relaxed) }

    /// Whether reading was cancelled.
    var isCancelled: Bool { cancellation.isCancelled }

    /// Whether waiting must end now.
    var isDue: Bool { cancellation.isCancelled || hasTimedOut }

    /// Whether the library was told that a time-out has passed, so that the stream is at its end.
    var hasFired: Bool { fired.load(ordering: .relaxed) }

    private var hasTimedOut: Bool {
        guard av_gettime_relative() > deadline.load(ordering: .relaxed) else { return false }
        fired.store(true, ordering: .relaxed)
        return true
    }

    /// Why the wait ended, or `nil` if it need not end.
    func error(_ location: MediaLocation) -> StreamError? {
        if cancellation.isCancelled {
            return StreamError(.readFailed, "Reading \(location) was cancelled.", underlying: vitrail_averror_exit)
        }
        return hasTimedOut ? timeoutError(location) : nil
    }

    /// The error for a time-out.
    func timeoutError(_ location: MediaLocation) -> StreamError {
        StreamError(
            .readFailed,
            "No data came from \(location) for \(timeout): check that the sender is running, and that no firewall blocks it.",
            underlying: vitrail_averror(ETIMEDOUT))
    }

    /// The callback for the library; valid as long as `self` exists.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isDue ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}

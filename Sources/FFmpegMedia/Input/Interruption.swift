import CVitrailFFmpeg
import MediaIO
import Synchronization

/// Tells libavformat to stop: when reading is cancelled, when a time-out passes, or when one read takes too many bytes.
///
/// **Thread:** the one that reads; only the cancellation may be used on another.
final class Interruption: Sendable {
    /// The most bytes that may arrive during one read: more than any packet has, even an uncompressed picture of 8K.
    static let maximumBytes: Int64 = 256 << 20

    private let cancellation: ReadCancellation
    private let timeout: Duration
    /// When the current wait must end, in microseconds of FFmpeg's clock; the largest number means no limit.
    private let deadline = Atomic(Int64.max)
    /// When opening must end, in the same unit: data may arrive for ever without a picture.
    private let openingDeadline = Atomic(Int64.max)
    /// The value of `bytes_read` when the current read began.
    private let firstByte = Atomic(Int64.max)
    /// The value of `bytes_read` beyond which the current read must end.
    private let lastByte = Atomic(Int64.max)
    /// The source of the bytes, while it is open; `nil` if they are not counted.
    nonisolated(unsafe) private var io: UnsafeMutablePointer<AVIOContext>?
    /// How long the current wait may take, in the same unit.
    private let wait = Atomic(Int64.max)
    private let cause = Atomic(Cause.none.rawValue)

    private enum Cause: Int {
        case none, timeout, opening, bytes, refusal
    }

    init(_ cancellation: ReadCancellation, timeout: Duration) {
        self.cancellation = cancellation
        self.timeout = timeout
    }

    /// The time-out in microseconds.
    var timeoutMicroseconds: Int64 { Self.microseconds(timeout) }

    private static func microseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        // The maximum is a day, which keeps the sum from overflowing.
        return min(max(seconds, 0), 86_400) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000
    }

    /// Restarts the time-out and the count of bytes.
    ///
    /// - Parameter limit: how long to wait this time; `nil` for the time-out.
    func arm(for limit: Duration? = nil) {
        let wait = limit.map { min(Self.microseconds($0), timeoutMicroseconds) } ?? timeoutMicroseconds
        self.wait.store(wait, ordering: .relaxed)
        deadline.store(av_gettime_relative() + wait, ordering: .relaxed)
        if let io { countBytes(from: io.pointee.bytes_read) }
    }

    /// Bounds the time to the first picture: ``finishOpening()`` must be called within six times the time-out.
    ///
    /// That is long enough for a stream with a key frame in each minute.
    func beginOpening() {
        openingDeadline.store(av_gettime_relative() + 6 * timeoutMicroseconds, ordering: .relaxed)
    }

    /// Removes the limit that ``beginOpening()`` set.
    func finishOpening() { openingDeadline.store(.max, ordering: .relaxed) }

    /// Counts the bytes of `io`, which must be open until this is called with `nil`.
    func count(_ io: UnsafeMutablePointer<AVIOContext>?) {
        self.io = io
        countBytes(from: io?.pointee.bytes_read)
    }

    private func countBytes(from first: Int64?) {
        firstByte.store(first ?? .max, ordering: .relaxed)
        lastByte.store(first.map { $0 + Self.maximumBytes } ?? .max, ordering: .relaxed)
    }

    /// Ends the wait for a reason that the caller reports itself.
    func end() { cause.store(Cause.refusal.rawValue, ordering: .relaxed) }

    /// Whether reading was cancelled.
    var isCancelled: Bool { cancellation.isCancelled }

    /// Whether waiting must end now.
    var isDue: Bool { cancellation.isCancelled || currentCause != .none }

    /// Whether a limit has passed or ``end()`` was called, so that the stream cannot continue.
    var hasFired: Bool { cause.load(ordering: .relaxed) != Cause.none.rawValue }

    /// Why waiting must end; once there is a cause, it stays.
    private var currentCause: Cause {
        let known = Cause(rawValue: cause.load(ordering: .relaxed)) ?? .none
        guard known == .none else { return known }
        let now = av_gettime_relative()
        let cause: Cause =
            if now > deadline.load(ordering: .relaxed) {
                .timeout
            } else if now > openingDeadline.load(ordering: .relaxed) {
                .opening
            } else if let io, io.pointee.bytes_read > lastByte.load(ordering: .relaxed) {
                .bytes
            } else {
                .none
            }
        if cause != .none { self.cause.store(cause.rawValue, ordering: .relaxed) }
        return cause
    }

    /// The error for the end of the wait; `nil` if waiting may go on, or after ``end()``.
    func error(_ location: MediaLocation) -> StreamError? {
        if cancellation.isCancelled {
            return StreamError(.readFailed, "Reading \(location) was cancelled.", underlying: vitrail_averror_exit)
        }
        let text: String
        let wait = Duration.microseconds(wait.load(ordering: .relaxed))
        switch currentCause {
        case .none, .refusal: return nil
        case .timeout where (io?.pointee.bytes_read ?? 0) > firstByte.load(ordering: .relaxed):
            text = "\(location) sends data, but no picture for \(wait): check that it still sends video."
        case .timeout:
            text =
                "No data came from \(location) for \(wait): check that the sender is running, and that no firewall blocks it."
        case .opening:
            text =
                "\(location) sends data, but no picture within \(timeout * 6): check that it sends video, with key frames."
        case .bytes:
            text =
                "\(location) sends more than \(Self.maximumBytes >> 20) MiB without a picture: check that it sends video."
        }
        return StreamError(.readFailed, text, underlying: vitrail_averror(ETIMEDOUT))
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

import MediaIO

/// Pulls frames from a reader and finds the one that is shown at a given time.
///
/// Before the time of the first frame, that frame is shown, and after the end the last one. So a tile is never blank
/// because a file begins a little late.
///
/// **Thread:** the reader's.
final class FrameTimeline {
    /// How early a frame may be shown, because containers round times: Matroska to whole milliseconds.
    static let tolerance = Duration.milliseconds(1)

    /// The error that ended reading early, if any.
    private(set) var failure: StreamError?
    private let reader: any FrameReader
    private let adjustment: InputAdjustment?
    private let tolerance: Duration
    private var times: FrameTimes
    private var shown: (frame: VideoFrame, time: Duration)?
    private var ahead: (frame: VideoFrame, time: Duration)?
    private var previousTime: Duration?
    private var isExhausted = false

    /// Starts at the reader's current position; the adjustment changes each frame.
    init(_ reader: any FrameReader, _ adjustment: InputAdjustment? = nil) {
        (self.reader, self.adjustment) = (reader, adjustment)
        times = FrameTimes(frameRate: reader.info.frameRate)
        // At 1000 frames per second or more, a millisecond would be a whole frame.
        self.tolerance = reader.info.frameRate.map { min(Self.tolerance, $0.time(ofFrame: 1) / 4) } ?? Self.tolerance
    }

    /// Whether there has been no frame so far.
    var isEmpty: Bool { shown == nil }

    /// Takes the frame that is shown at `time`: the newest one that is due.
    ///
    /// - Parameter time: must not be before that of the last call, because readers only go forward.
    /// - Returns: `nil` if it is the same frame as last time, or if the stream has none.
    func take(at time: Duration) -> VideoFrame? {
        var isNew = false
        while true {
            if ahead == nil { ahead = pull() }
            guard let next = ahead, shown == nil || next.time <= time + tolerance else {
                return isNew ? shown?.frame : nil
            }
            previousTime = shown?.time
            shown = next
            ahead = nil
            isNew = true
        }
    }

    /// Whether the last frame has been shown for its whole duration at `time`; call ``take(at:)`` with that time first.
    func hasEnded(at time: Duration) -> Bool {
        guard isExhausted, ahead == nil else { return false }
        guard let shown else { return true }
        return time + tolerance >= shown.time + duration(ofFrameAt: shown.time)
    }

    private func pull() -> (frame: VideoFrame, time: Duration)? {
        guard !isExhausted else { return nil }
        do throws(StreamError) {
            if var frame = try reader.next() {
                try adjustment?.adjust(&frame)
                return (frame, times.time(of: frame))
            }
        } catch {
            failure = error
        }
        isExhausted = true
        return nil
    }

    /// The frame duration: from the stream's frame rate, or that of the frame before.
    private func duration(ofFrameAt time: Duration) -> Duration {
        if let rate = reader.info.frameRate { return rate.time(ofFrame: 1) }
        return previousTime.map { time - $0 } ?? .milliseconds(40)
    }
}

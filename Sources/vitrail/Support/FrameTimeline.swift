import MediaIO

/// Pulls a reader along a time line: which frame is on screen at a given moment.
///
/// Before the first frame's time the first frame is shown, after the last one the last: a picture is never blank because
/// a file begins a little late.
///
/// **Thread:** the reader's.
final class FrameTimeline {
    /// Containers round times, Matroska to whole milliseconds; a frame this little in the future is due.
    static let tolerance = Duration.milliseconds(1)

    /// Why the reader gave no more frames before its end, if it did.
    private(set) var failure: StreamError?
    private let reader: any FrameReader
    private let tolerance: Duration
    private var times: FrameTimes
    private var shown: (frame: VideoFrame, time: Duration)?
    private var ahead: (frame: VideoFrame, time: Duration)?
    private var previousTime: Duration?
    private var isExhausted = false

    /// Starts at the reader's present position.
    init(_ reader: any FrameReader) {
        self.reader = reader
        times = FrameTimes(frameRate: reader.info.frameRate)
        // At 1000 frames a second and more, a millisecond would be a frame.
        self.tolerance = reader.info.frameRate.map { min(Self.tolerance, $0.time(ofFrame: 1) / 4) } ?? Self.tolerance
    }

    /// What is known of the stream.
    var info: StreamInfo { reader.info }

    /// Whether no frame has come so far.
    var isEmpty: Bool { shown == nil }

    /// Takes the frame that is shown at `time`, the newest one whose time has come.
    ///
    /// - Parameter time: not before that of the last call: a reader only goes forward.
    /// - Returns: `nil` when it is the same frame as last time, or when the stream has none.
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

    /// Whether the last frame's time is over at `time`, seen after ``take(at:)`` was asked for it.
    func hasEnded(at time: Duration) -> Bool {
        guard isExhausted, ahead == nil else { return false }
        guard let shown else { return true }
        return time + tolerance >= shown.time + length(ofFrameAt: shown.time)
    }

    private func pull() -> (frame: VideoFrame, time: Duration)? {
        guard !isExhausted else { return nil }
        do throws(StreamError) {
            if let frame = try reader.next() { return (frame, times.time(of: frame)) }
        } catch {
            failure = error
        }
        isExhausted = true
        return nil
    }

    /// A frame lasts as long as the stream says, or as long as the one before it did.
    private func length(ofFrameAt time: Duration) -> Duration {
        if let rate = reader.info.frameRate { return rate.time(ofFrame: 1) }
        return previousTime.map { time - $0 } ?? .milliseconds(40)
    }
}

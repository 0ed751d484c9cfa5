/// Repeats another reader endlessly, with continuously increasing presentation times.
public final class LoopingReader: FrameReader {
    private let reader: any FrameReader
    private var times: FrameTimes
    private var offset = Duration.zero
    // The begin and the end so far of the wrapped reader's present round, in its own times.
    private var begin: Duration?
    private var end = Duration.zero
    private var previous: Duration?
    private var delivered = false

    /// Wraps a reader that can be rewound.
    public init(_ reader: any FrameReader) {
        self.reader = reader
        times = FrameTimes(frameRate: reader.info.frameRate)
    }

    /// The wrapped reader's description, without a duration.
    public var info: StreamInfo {
        var info = reader.info
        info.duration = nil
        return info
    }

    /// The wrapped reader's count.
    public var corruptCount: Int { reader.corruptCount }

    /// The next frame; after the last one, the first one again.
    ///
    /// It is `nil` only if there is no frame at all.
    public func next() throws(StreamError) -> VideoFrame? {
        if let frame = try reader.next() { return place(frame) }
        guard delivered else { return nil }
        try restart()
        guard let frame = try reader.next() else { return nil }
        return place(frame)
    }

    /// Goes back to the first frame and its time in the first round.
    public func rewind() throws(StreamError) {
        try reader.rewind()
        (offset, begin, end, previous) = (.zero, nil, .zero, nil)
        times.reset()
    }

    /// Passes it on to the wrapped reader.
    public func adapt(to wants: VideoSinkWants) { reader.adapt(to: wants) }

    private func restart() throws(StreamError) {
        try reader.rewind()
        // A stream whose first frame is not at zero must not pause that long in every round.
        offset += end - (begin ?? .zero)
        (begin, end, previous) = (nil, .zero, nil)
        times.reset()
    }

    private func place(_ frame: VideoFrame) -> VideoFrame {
        let time = times.time(of: frame)
        // The frame duration is that of the frame rate, or of the previous frame.
        let length = reader.info.frameRate?.time(ofFrame: 1) ?? previous.map { time - $0 } ?? .milliseconds(40)
        begin = begin ?? time
        end = max(end, time + max(length, .milliseconds(1)))
        previous = time
        delivered = true
        var frame = frame
        frame.presentationTime = time + offset
        return frame
    }
}

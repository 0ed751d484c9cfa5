/// Repeats another reader endlessly, with continuously increasing presentation times.
public final class LoopingReader: FrameReader {
    private let reader: any FrameReader
    private let keepsLength: Bool
    private var times: FrameTimes
    private var offset = Duration.zero
    // The start of each round, and the end of the current one so far, in the wrapped reader's times.
    private var begin: Duration?
    private var end = Duration.zero
    private var previous: Duration?
    /// The length of a round, once one has ended.
    private var length: Duration?
    /// The time to skip to before the next frame.
    private var skipTime: Duration?

    /// Wraps a reader that can be rewound.
    ///
    /// - Parameters:
    ///   - reader: the reader.
    ///   - keepsLength: whether all rounds are as long as the reader's ``StreamInfo/duration`` says, or else as the first
    ///     one is, so that the times of a frame are the same for everyone: for ``PlaybackTimeline/machineClock``.
    ///     Otherwise each round is as long as its frames are.
    public init(_ reader: any FrameReader, keepsLength: Bool = false) {
        (self.reader, self.keepsLength) = (reader, keepsLength)
        length = keepsLength ? reader.info.duration : nil
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
        if let time = skipTime {
            skipTime = nil
            try advance(to: time)
        }
        if let frame = try reader.next() { return place(frame) }
        guard begin != nil else { return nil }
        try restart()
        guard let frame = try reader.next() else { return nil }
        return place(frame)
    }

    /// Goes back to the first frame and its time in the first round.
    public func rewind() throws(StreamError) {
        try reader.rewind()
        (offset, end, previous, skipTime) = (.zero, .zero, nil, nil)
        times.reset()
    }

    /// The wrapped reader's.
    public var demand: ReadingDemand? { reader.demand }

    /// Skips to the frame for a time, in the round of that time.
    ///
    /// Until the first round has ended, its length is assumed to be the wrapped reader's duration.
    ///
    /// - Returns: false if the wrapped reader cannot skip, or the length that is to be kept is not known yet.
    public func skip(to time: Duration) -> Bool {
        // Skipping to zero changes nothing, but tells whether the reader can.
        guard begin != nil, !keepsLength || length != nil, reader.skip(to: .zero) else { return false }
        // `next()` does the skip, because rewinding may fail.
        skipTime = time
        return true
    }

    private func advance(to time: Duration) throws(StreamError) {
        var rest = time - offset
        if let begin, let length = length ?? reader.info.duration, length > .zero, rest >= begin + length {
            let rounds = length * Int((rest - begin) / length)
            try reader.rewind()
            (offset, rest, end) = (offset + rounds, rest - rounds, .zero)
            times.reset()
        }
        previous = nil
        _ = reader.skip(to: rest)
    }

    private func restart() throws(StreamError) {
        try reader.rewind()
        // A stream whose first frame is not at zero must not pause that long in every round.
        let round = (keepsLength ? length : nil) ?? end - (begin ?? .zero)
        offset += round
        (length, end, previous) = (round, .zero, nil)
        times.reset()
    }

    private func place(_ frame: VideoFrame) -> VideoFrame {
        let time = times.time(of: frame)
        // The frame lasts as long as the frame rate says, or else as long as the previous one.
        let length = reader.info.frameRate?.time(ofFrame: 1) ?? previous.map { time - $0 } ?? .milliseconds(40)
        begin = begin ?? time
        end = max(end, time + max(length, .milliseconds(1)))
        previous = time
        var frame = frame
        frame.presentationTime = time + offset
        return frame
    }
}

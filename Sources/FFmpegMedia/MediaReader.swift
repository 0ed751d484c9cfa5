import CVitrailFFmpeg
public import MediaIO

/// Reads the video of a media file or network stream through FFmpeg.
///
/// Frames are handed out as they were decoded: the decoder's memory is lent, not copied, and goes back to the decoder
/// when the last holder lets go of the pixels. Pictures that are stored upside down are lent with a negative stride. Only
/// what has no ``PixelFormat`` is copied: palettes, big-endian words and their like go to the nearest format, which
/// ``info`` names, and lose nothing where one can hold all of it.
///
/// * A file reaches nothing but itself: FFmpeg is handed its bytes and may open nothing. Lists of files are refused. A
///   network stream may reach the network, never a file.
/// * Presentation times begin at zero and always rise. A frame without a timestamp follows the one before it by a
///   frame's length; one that is late by less than a second is shown a millisecond after it; a larger jump back, or one
///   forward by more than a day (by ten seconds where the container allows jumps), begins a new count.
/// * Packets that cannot be decoded are skipped, pictures that the decoder marks as corrupt are shown; both count in
///   ``corruptCount``. Neither ends the stream.
/// * The size may change from frame to frame. A change to an unknown pixel format ends the stream with an error.
///
/// FFmpeg's log level belongs to the whole process. The first reader turns the log off, unless the program has set
/// another level than FFmpeg's own default before.
///
/// **Thread:** the one that made it; frames go anywhere. **Cost:** opening decodes the first frame; then each frame
/// allocates its ``PixelBuffer`` here, and what FFmpeg allocates.
public final class MediaReader: FrameReader {
    /// How a reader reads.
    public struct Options: Hashable, Sendable {
        /// How long a network or a pipe may keep the reader waiting: for the connection, for enough to know the streams,
        /// and for each packet.
        public var timeout: Duration = .seconds(10)
        /// How many threads decode, 1 to 16; `nil` for one up to 1280 × 720, and up to four beyond where there are cores.
        public var threadCount: Int?

        /// Creates the options that suit most streams.
        public init() {}
    }

    /// What is known of the stream: from its container and from its first frame.
    public let info: StreamInfo
    /// Packets that are corrupt or could not be decoded, and pictures that were shown although they are corrupt.
    ///
    /// One fault may count as both. What a decoder leaves out silently is not counted.
    public var corruptCount: Int { earlierCorruptPackets + session.corruptPackets + corruptPictures }

    private let location: MediaLocation
    private let options: Options
    private let cancellation: ReadCancellation
    private var pictures = PicturePool()
    private var converter = PictureConverter()
    private var session: DecodingSession
    private var clock: PresentationClock
    /// The timestamp of the stream's first frame, if it has one.
    private let firstTimestamp: Int64?
    /// A frame that was decoded before it was asked for.
    private var pending: VideoFrame?
    /// The frame behind `pending`, where seeking has gone too far to know it.
    private var pendingNext: VideoFrame?
    private var isAtStart = true
    private var corruptPictures = 0
    private var earlierCorruptPackets = 0

    /// Opens a file or network stream, and decodes its first frame.
    ///
    /// - Parameters:
    ///   - location: what to open.
    ///   - options: how to read it.
    ///   - cancellation: ends waiting from another thread.
    /// - Throws: ``StreamError``, naming the location, the cause and what to do about it.
    public init(
        _ location: MediaLocation, options: Options = Options(), cancellation: ReadCancellation = ReadCancellation()
    ) throws(StreamError) {
        let threads = options.threadCount ?? 1
        precondition((1...16).contains(threads), "Options.threadCount is 1...16, or nil for a sensible number.")
        let session = try DecodingSession(location, options, cancellation)
        guard let picture = pictures.take() else { throw MediaInput.error(location, vitrail_averror(ENOMEM)) }
        guard try session.decode(picture) else { throw Self.undecodable(location, session) }
        let first = try FrameDescription(picture, session)
        firstTimestamp = first.timestamp
        clock = PresentationClock(session, first)
        info = StreamInfo(session, first)
        let buffer = try first.lend(picture, &converter)
        pending = first.frame(buffer, clock.time(first.timestamp))
        corruptPictures = first.isCorrupt ? 1 : 0
        (self.location, self.options, self.cancellation, self.session) = (location, options, cancellation, session)
    }

    /// The next frame, or `nil` at the end.
    ///
    /// - Throws: ``StreamError/Code/readFailed`` when reading breaks off, a time-out passes or it is cancelled;
    ///   ``StreamError/Code/unsupported`` when the pixel format changes to one that is not known.
    public func next() throws(StreamError) -> VideoFrame? {
        isAtStart = false
        guard let frame = pending else { return try decode()?.frame }
        (pending, pendingNext) = (pendingNext, nil)
        return frame
    }

    /// Goes back to the first frame: by its timestamp, or by opening the input again where that does not lead there.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` where there is no way back, as in a live stream.
    public func rewind() throws(StreamError) {
        guard !isAtStart else { return }
        try requireSeekable()
        isAtStart = true
        if try goToFirst() { return }
        // The old input is kept until the new one is there.
        let fresh = try DecodingSession(location, options, cancellation)
        earlierCorruptPackets += session.corruptPackets
        session = fresh
        (pending, pendingNext) = (nil, nil)
        clock.reset()
    }

    /// Goes to the first frame by its timestamp; false where that does not lead there.
    private func goToFirst() throws(StreamError) -> Bool {
        guard let firstTimestamp, !session.input.lacksTimestamps, go(to: firstTimestamp) else { return false }
        do throws(StreamError) {
            guard let first = try decode(), first.timestamp == firstTimestamp else { return false }
            pending = first.frame
            return true
        } catch {
            // Some servers promise to go back and then do not: the input is opened again, unless nobody wants it.
            if cancellation.isCancelled { throw error }
            return false
        }
    }

    /// Goes to the frame that is shown at `time`: the last one whose presentation time is not after it.
    ///
    /// The way leads to the key frame before it and then on by decoding. Behind the end it is the last frame.
    ///
    /// - Parameter time: from the start of the stream; not negative.
    /// - Throws: ``StreamError/Code/unsupported`` where there is no way back, as in a live stream.
    public func seek(to time: Duration) throws(StreamError) {
        precondition(time >= .zero, "A stream has no time before zero; seek to zero or later.")
        try requireSeekable()
        // Some containers land behind the place asked for, or where no key frame follows: ask for an earlier one.
        var lead = Duration.zero
        while lead < time, firstTimestamp != nil, !session.input.lacksTimestamps {
            isAtStart = false
            guard go(to: clock.timestamp(of: time - lead)) else { break }
            if let found = try decode(), found.timestamp != nil, Self.begins(found.frame, by: time) {
                return try skip(from: found.frame, to: time)
            }
            lead = max(.seconds(1), lead * 4)
        }
        try rewind()
        isAtStart = time == .zero
        if pending == nil { pending = try decode()?.frame }
        try skip(from: pending, to: time)
    }

    private func skip(from start: VideoFrame?, to time: Duration) throws(StreamError) {
        (pending, pendingNext) = (start, nil)
        while pendingNext == nil, let next = try decode()?.frame {
            if Self.begins(next, by: time) { pending = next } else { pendingNext = next }
        }
    }

    /// Whether a frame of this reader, which all have a time, is shown at `time` or before.
    private static func begins(_ frame: VideoFrame, by time: Duration) -> Bool {
        frame.presentationTime.map { $0 <= time } ?? true
    }

    private func go(to timestamp: Int64) -> Bool {
        guard session.seek(timestamp) else { return false }
        (pending, pendingNext) = (nil, nil)
        clock.reset()
        return true
    }

    private func decode() throws(StreamError) -> (frame: VideoFrame, timestamp: Int64?)? {
        guard let picture = pictures.take() else {
            throw StreamError(.readFailed, "There is no memory left to decode \(location).", underlying: ENOMEM)
        }
        guard try session.decode(picture) else { return nil }
        let description = try FrameDescription(picture, session)
        if description.isCorrupt { corruptPictures += 1 }
        let buffer = try description.lend(picture, &converter)
        return (description.frame(buffer, clock.time(description.timestamp)), description.timestamp)
    }

    private func requireSeekable() throws(StreamError) {
        guard !session.input.isSeekable else { return }
        throw StreamError(.unsupported, "\(location) is live or a pipe: there is no going back in it. Open it again.")
    }

    private static func undecodable(_ location: MediaLocation, _ session: DecodingSession) -> StreamError {
        let codec = String(cString: avcodec_get_name(session.stream.pointee.codecpar.pointee.codec_id))
        let cause = session.corruptPackets == 0 ? "it has no packets" : "\(session.corruptPackets) packets were tried"
        return StreamError(
            .malformed,
            "The \(codec) stream of \(location) has no picture that can be decoded (\(cause)): check the file.")
    }
}

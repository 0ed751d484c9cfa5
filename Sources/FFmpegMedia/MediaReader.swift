import CVitrailFFmpeg
public import MediaIO
import VitrailSupport

/// Reads the video of a media file or network stream through FFmpeg.
///
/// Frames are delivered without a copy: the decoder's memory is lent, and returns to the decoder when the pixels are
/// released. If a sink offers memory of its own, frames are decoded there. Frames stored bottom-up are lent with a
/// negative stride. Only formats without a ``PixelFormat``, such as palettes and big-endian words, are converted to the
/// nearest one, which ``info`` names, without loss if one can hold all of it.
///
/// * A file can access nothing but itself: this module reads the bytes, and FFmpeg may not open anything. Lists of
///   files are rejected. A network stream may access the network, never a file.
/// * A server's TLS certificate is verified, unless ``Options/trust`` says otherwise.
/// * If a live playlist (HLS, DASH) stops before it announces its end, ``next()`` throws, so that a ``LiveSource``
///   opens it again.
/// * Presentation times begin at zero and always increase. A frame without a timestamp follows the previous one by one
///   frame duration. If a timestamp goes back by less than a second, the frame is shown a millisecond after the
///   previous one. After a larger jump back, or a jump forward by more than a day (ten seconds if the container allows
///   jumps), the frame follows by one frame duration, and later times continue from there.
/// * Colour tags are those of the stream or its decoder. Tags without an equivalent here and tags that cannot be right,
///   such as full range in v210, are omitted; ``StreamInfo/colorTagNotes`` names them.
/// * Packets that cannot be decoded are skipped. Frames that the decoder finds corrupt are delivered and marked
///   (`FrameAttributes.isDamaged`). Both count in ``corruptCount``, and neither ends the stream. A live stream leaves
///   out such frames and everything up to the next key frame, for at most ten seconds.
/// * Motion JPEG is decoded at a half, a quarter or an eighth of its width and height if sinks want no more pixels.
/// * The size may change from frame to frame. A change to an unknown pixel format ends the stream with an error.
///
/// FFmpeg's log level is global to the process. The first reader turns the log off, unless the program has changed
/// FFmpeg's default level before.
///
/// **Thread:** the one that made it; frames may be used on any. **Cost:** opening decodes the first frame; then each
/// frame allocates its ``PixelBuffer``, and what FFmpeg allocates.
public final class MediaReader: FrameReader {
    /// Options of a reader.
    public struct Options: Sendable {
        /// The longest wait for a network: once for connecting and examining the streams, then for each packet.
        ///
        /// The first frame may take six times as long. The wait for a pipe has no limit.
        public var timeout: Duration = .seconds(10)
        /// The servers that are trusted if the connection is encrypted with TLS.
        public var trust = TLSTrust.system
        /// The number of decoding threads, 1 to 16; `nil` for one up to 1280 × 720 and one per core, up to four, above.
        public var threadCount: Int?
        /// The slots that this reader shares with others to decode; `nil` for no limit.
        public var slots: DecodingSlots?

        /// Creates options that suit most streams.
        public init() {}
    }

    /// The description of the stream, from its container and its first frame.
    public let info: StreamInfo
    /// The number of corrupt or undecodable packets, of packets left out because of them, and of corrupt frames that
    /// were delivered.
    ///
    /// One fault may count as a packet and as a frame. Frames that a decoder omits silently are not counted.
    public var corruptCount: Int { earlierCorruptPackets + session.corruptPackets + corruptPictures }

    private let location: MediaLocation
    private let options: Options
    private let cancellation: ReadCancellation
    private var pictures = DecodedFramePool()
    private var converter = FrameConverter()
    private var session: DecodingSession
    private var clock: PresentationClock
    /// The timestamp of the stream's first frame, if it has one.
    private let firstTimestamp: Int64?
    /// A frame that was decoded ahead.
    private var pending: VideoFrame?
    /// The frame after `pending`: a seek must decode it to find that `pending` is the right one.
    private var pendingNext: VideoFrame?
    private var isAtStart = true
    /// The time of the last frame delivered.
    private var position: Duration?
    /// The time to skip to before the next frame.
    private var skipTime: Duration?
    private var isOmitting = false
    /// The wanted number of pixels in a frame; `nil` for all.
    private var pixels: Int?
    private var corruptPictures = 0
    private var earlierCorruptPackets = 0

    /// Opens a file or network stream, and decodes its first frame.
    ///
    /// - Parameters:
    ///   - location: what to open.
    ///   - options: how to read it.
    ///   - cancellation: lets another thread end a wait.
    /// - Throws: ``StreamError``, naming the location, the cause and what to do.
    public init(
        _ location: MediaLocation, options: Options = Options(), cancellation: ReadCancellation = ReadCancellation()
    ) throws(StreamError) {
        let threads = options.threadCount ?? 1
        require((1...16).contains(threads), "Options.threadCount must be 1...16, or nil for a default.")
        let session = try DecodingSession(location, options, cancellation)
        guard let picture = pictures.take() else { throw MediaInput.error(location, vitrail_averror(ENOMEM)) }
        guard try session.decode(picture) else { throw Self.undecodable(location, session) }
        session.input.finishOpening()
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
    /// - Throws: ``StreamError/Code/readFailed`` if reading fails, times out or is cancelled;
    ///   ``StreamError/Code/unsupported`` if the pixel format changes to an unknown one.
    public func next() throws(StreamError) -> VideoFrame? {
        isAtStart = false
        if let time = skipTime {
            skipTime = nil
            try advance(to: time)
        }
        let frame = try takeNext()
        position = frame?.presentationTime ?? position
        return frame
    }

    private func takeNext() throws(StreamError) -> VideoFrame? {
        guard let frame = pending else { return try decode()?.frame }
        (pending, pendingNext) = (pendingNext, nil)
        return frame
    }

    /// Goes back to the first frame: by its timestamp, or if that fails, by opening the input again.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` if the stream cannot seek, for example a live one.
    public func rewind() throws(StreamError) {
        (position, skipTime) = (nil, nil)
        guard !isAtStart else { return }
        try requireSeekable()
        isAtStart = true
        if try goToFirst() { return }
        // The old input is kept until the new one is open.
        let fresh = try DecodingSession(location, options, cancellation)
        fresh.input.finishOpening()
        earlierCorruptPackets += session.corruptPackets
        fresh.memory.memory = session.memory.memory
        session = fresh
        session.setOmitting(isOmitting)
        session.reduce(to: pixels)
        (pending, pendingNext) = (nil, nil)
        clock.reset()
    }

    /// Seeks to the first frame by its timestamp; false if that fails.
    private func goToFirst() throws(StreamError) -> Bool {
        guard let firstTimestamp, !session.input.lacksTimestamps, go(to: firstTimestamp) else { return false }
        do throws(StreamError) {
            guard let first = try decode(), first.timestamp == firstTimestamp else { return false }
            pending = first.frame
            return true
        } catch {
            // Some servers announce seeking but fail at it: the input is opened again, unless reading was cancelled.
            if cancellation.isCancelled { throw error }
            return false
        }
    }

    /// Seeks to the frame that is shown at `time`: the last one whose presentation time is not after it.
    ///
    /// It seeks to the key frame before that one and decodes from there. A time after the end gives the last frame.
    ///
    /// - Parameter time: from the start of the stream; not negative.
    /// - Throws: ``StreamError/Code/unsupported`` if the stream cannot seek, for example a live one.
    public func seek(to time: Duration) throws(StreamError) {
        require(time >= .zero, "A stream starts at zero: seek to zero or later.")
        try requireSeekable()
        (position, skipTime) = (nil, nil)
        // Some containers seek too far, or to a place that no key frame follows: then try an earlier time.
        var lead = Duration.zero
        while lead < time, firstTimestamp != nil, !session.input.lacksTimestamps {
            isAtStart = false
            guard go(to: clock.timestamp(of: time - lead)) else { break }
            if let found = try decode(), found.timestamp != nil, Self.begins(found.frame, by: time) {
                pending = found.frame
                return try readOn(to: time)
            }
            lead = max(.seconds(1), lead * 4)
        }
        try rewind()
        isAtStart = time == .zero
        try readOn(to: time)
    }

    /// Requests a skip to the frame for a time, as by ``seek(to:)``, which the next ``next()`` performs.
    ///
    /// Nothing is read until then.
    ///
    /// - Returns: false if the stream cannot seek by its timestamps.
    public func skip(to time: Duration) -> Bool {
        guard session.input.isSeekable, firstTimestamp != nil, !session.input.lacksTimestamps, clock.isContinuous
        else { return false }
        skipTime = max(time, skipTime ?? time)
        return true
    }

    /// Decodes at a lower resolution if that is enough and the codec can, and into the memory that the sinks want.
    ///
    /// Frames that are already decoded stay as they are.
    public func adapt(to wants: VideoSinkWants) {
        // A hidden stream keeps its size: it may soon be visible again.
        guard wants.isVisible else { return }
        converter.memory = wants.memory
        session.memory.memory = wants.memory
        guard wants.maximumPixels != pixels else { return }
        pixels = wants.maximumPixels
        session.reduce(to: pixels)
    }

    /// Starts or stops leaving out frames that no other frame is decoded from; only if frames have timestamps.
    public func setOmitting(_ isOmitting: Bool) {
        self.isOmitting = isOmitting && !session.input.lacksTimestamps
        session.setOmitting(self.isOmitting)
    }

    /// The total time spent waiting for the network or a pipe so far; `nil` for a stream that is not live.
    public var timeWaited: Duration? { info.isLive ? session.input.timeWaited : nil }

    /// Leaves out the packets that have already arrived, and continues with the next key frame.
    ///
    /// If none arrives within ten seconds, the reader continues with the next packet.
    public func catchUp() { session.catchUp() }

    /// Goes forward to the frame that is shown at `time`, never back.
    private func advance(to time: Duration) throws(StreamError) {
        let last = position
        // Within a second, the key frame to seek to is probably already decoded, so reading on costs less.
        guard time - (last ?? .zero) >= .seconds(1) else { return try readOn(to: time) }
        try seek(to: time)
        position = last
        if let last, let frame = pending, Self.begins(frame, by: last) { _ = try takeNext() }
    }

    /// Decodes until `pending` is the frame that is shown at `time`, or the next frame if that begins later.
    private func readOn(to time: Duration) throws(StreamError) {
        guard var frame = try takeNext() else { return }
        while let next = try takeNext() {
            guard Self.begins(next, by: time) else {
                (pending, pendingNext) = (frame, next)
                return
            }
            frame = next
        }
        pending = frame
    }

    /// Whether a frame of this reader begins at `time` or before; all of its frames have a presentation time.
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
            throw StreamError(.readFailed, "There is not enough memory to decode \(location).", underlying: ENOMEM)
        }
        guard try session.decode(picture) else { return nil }
        let description = try FrameDescription(picture, session)
        if description.isCorrupt { corruptPictures += 1 }
        let buffer = try description.lend(picture, &converter)
        return (description.frame(buffer, clock.time(description.timestamp)), description.timestamp)
    }

    private func requireSeekable() throws(StreamError) {
        guard !session.input.isSeekable else { return }
        throw StreamError(.unsupported, "\(location) is live or a pipe and cannot seek: open it again.")
    }

    private static func undecodable(_ location: MediaLocation, _ session: DecodingSession) -> StreamError {
        let codec = String(cString: avcodec_get_name(session.stream.pointee.codecpar.pointee.codec_id))
        // Without their number, so that the reason is the same each time that a live stream is tried.
        let cause = session.corruptPackets == 0 ? "it has no packets" : "its packets cannot be decoded"
        return StreamError(
            .malformed,
            "The \(codec) stream of \(location) has no decodable frame (\(cause)): check the file.")
    }
}

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
/// * Packets that cannot be decoded are skipped. Frames that the decoder finds corrupt, and those after a loss, are
///   delivered and marked (`FrameAttributes.isDamaged`). Both count in ``corruptCount``, and neither ends the stream. A
///   live stream leaves out such frames and everything up to the next key frame, for at most ten seconds.
/// * It does not catch up with a live stream that is decoded too slowly: play its ``MediaPacketReader`` with a `LiveSource`.
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
        /// For the packets of a live stream that has begun to play, it is at most 5 s, or three times as long as they were
        /// ever apart.
        /// The first frame may take six times as long. The wait for a pipe has no limit.
        public var timeout: Duration = .seconds(10)
        /// The servers that are trusted if the connection is encrypted with TLS.
        public var trust = TLSTrust.system
        /// The number of decoding threads, 1 to 16; `nil` for one up to 1280 × 720 and one per core, up to four, above.
        public var threadCount: Int?
        /// The slots that this reader shares with others to decode; `nil` for no limit.
        public var slots: DecodingSlots?
        /// Which pictures are deinterlaced: of those, each field becomes a frame.
        public var deinterlacing = Deinterlacing.auto
        /// Whether decoding is done by a process of its own, which can do nothing else (``DecoderSandbox``).
        ///
        /// To examine the streams, nothing is decoded then.
        public var isSandboxed = false

        /// Creates options that suit most streams.
        public init() {}
    }

    /// The description of the stream, from its container and its first frame.
    public let info: StreamInfo
    /// The number of corrupt or undecodable packets, of packets left out because of them, and of corrupt frames that
    /// were delivered.
    ///
    /// One fault may count as a packet and as a frame. Frames that a decoder omits silently are not counted.
    public var corruptCount: Int { stage.corruptCount }
    /// What a player wants of the next frames: their memory, how many pixels they need, and whether frames are left out.
    ///
    /// Frames are left out only if they have timestamps. Frames that are already decoded stay as they are.
    public var demand: ReadingDemand? { wanted }

    private let location: MediaLocation
    private let options: Options
    private let cancellation: ReadCancellation
    private let wanted = ReadingDemand()
    private var wantedVersion = 0
    private var packets: MediaPacketReader
    private var stage: DecodingStage
    /// The decoder of the stage: the one that was made last.
    private let decoder: Monitor<MediaPacketDecoder?>
    private var clock: PresentationClock
    /// The time of the stream's first frame on its own clock, if it has one.
    private let firstTime: Duration?
    /// Frames that were decoded ahead, with their times on the stream's own clock.
    private var ready: [VideoFrame] = []
    private var hasEnded = false
    /// A frame that was decoded ahead.
    private var pending: VideoFrame?
    /// The frame after `pending`: a seek must decode it to find that `pending` is the right one.
    private var pendingNext: VideoFrame?
    private var isAtStart = true
    /// The time of the last frame delivered.
    private var position: Duration?
    /// The time to skip to before the next frame.
    private var skipTime: Duration?

    /// Opens a file or network stream, and decodes its first frame.
    ///
    /// - Parameters:
    ///   - location: what to open.
    ///   - options: how to read it.
    ///   - cancellation: lets another thread end a wait.
    /// - Throws: ``StreamError``, naming the location, the cause and what to do.
    public convenience init(
        _ location: MediaLocation, options: Options = Options(), cancellation: ReadCancellation = ReadCancellation()
    ) throws(StreamError) {
        try self.init(MediaPacketReader(location, options: options, cancellation: cancellation))
    }

    /// Reads what a reader of packets has opened, and decodes the first frame.
    ///
    /// - Parameter packets: a reader that has read nothing yet; not used elsewhere.
    /// - Throws: ``StreamError``, naming the location, the cause and what to do.
    public init(_ packets: MediaPacketReader) throws(StreamError) {
        let (location, options) = (packets.input.location, packets.options)
        let decoder = Monitor<MediaPacketDecoder?>(nil)
        var decoding = MediaPacketDecoder.Options()
        (decoding.threadCount, decoding.slots) = (options.threadCount, options.slots)
        (decoding.isLive, decoding.name) = (location.isNetwork, location.description)
        decoding.deinterlacing = options.deinterlacing
        decoding.isSandboxed = options.isSandboxed
        // Of a live stream, pictures that depend on a loss are left out; of a file they are shown, as every player does.
        let policy = packets.isLive ? DecodingStage.Policy.live : .stored
        var stage = DecodingStage(location.description, policy) { [decoding] packet throws(StreamError) in
            let made = try MediaPacketDecoder(for: packet, options: decoding)
            decoder.withLock { $0 = made }
            return made
        }
        var ready: [VideoFrame] = []
        var hasEnded = false
        packets.isPictureAwaited = true
        while ready.isEmpty, !hasEnded { try Self.decode(packets, &stage, &ready, &hasEnded) }
        packets.input.finishOpening()
        guard let first = ready.first else { throw Self.undecodable(location, packets.shown, stage.corruptCount) }
        let shown = packets.shown
        firstTime = first.presentationTime
        clock = PresentationClock(packets, first, isWhole: stage.corruptCount == 0)
        info = StreamInfo(
            container: packets.container, codec: shown.codec.rawValue, format: first.image.format,
            size: first.image.size, frameRate: shown.frameRate, isLive: packets.isLive,
            isOngoing: packets.isOngoing, duration: packets.duration,
            attributes: first.attributes,
            colorTagNotes: decoder.withLock { $0 }?.colorTagNotes ?? [:])
        (self.location, self.options, self.cancellation) = (location, options, packets.cancellation)
        (self.packets, self.stage, self.decoder) = (packets, stage, decoder)
        (self.ready, self.hasEnded) = (ready, hasEnded)
        pending = take()
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
        guard let frame = pending else { return try decode() }
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
        packets = try MediaPacketReader(location, options: options, cancellation: cancellation)
        restart()
    }

    /// Seeks to the first frame by its timestamp; false if that fails.
    private func goToFirst() throws(StreamError) -> Bool {
        guard let firstTime, !packets.input.lacksTimestamps, go(to: firstTime) else { return false }
        do throws(StreamError) {
            guard try fill(), ready[0].presentationTime == firstTime else { return false }
            pending = take()
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
        while lead < time, firstTime != nil, !packets.input.lacksTimestamps {
            isAtStart = false
            guard go(to: clock.origin + time - lead) else { break }
            if try fill(), ready[0].presentationTime != nil, let found = take(), Self.begins(found, by: time) {
                pending = found
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
        let input = packets.input
        guard input.isSeekable, firstTime != nil, !input.lacksTimestamps, clock.isContinuous else { return false }
        skipTime = max(time, skipTime ?? time)
        return true
    }

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

    private func go(to time: Duration) -> Bool {
        guard packets.seek(to: time) else { return false }
        restart()
        return true
    }

    /// Forgets what was decoded before another place of the stream.
    private func restart() {
        stage.reset()
        (pending, pendingNext) = (nil, nil)
        ready.removeAll(keepingCapacity: true)
        hasEnded = false
        clock.reset()
    }

    // MARK: Decoding

    private func decode() throws(StreamError) -> VideoFrame? { try fill() ? take() : nil }

    /// Decodes until a frame is ready; false at the end.
    private func fill() throws(StreamError) -> Bool {
        if wanted.hasChanged(since: &wantedVersion) {
            stage.adapt(to: wanted.wants)
            stage.setOmitting(wanted.isOmitting && !packets.input.lacksTimestamps)
        }
        while ready.isEmpty, !hasEnded { try Self.decode(packets, &stage, &ready, &hasEnded) }
        return !ready.isEmpty
    }

    /// The next of the frames that are ready, with its presentation time.
    private func take() -> VideoFrame? {
        guard !ready.isEmpty else { return nil }
        var frame = ready.removeFirst()
        frame.presentationTime = clock.time(frame.presentationTime)
        return frame
    }

    /// Decodes the next packet, or what the decoder still has after the last one.
    ///
    /// - Throws: ``StreamError`` if reading has failed, once all frames read before the failure are taken; or if frames
    ///   can never be decoded.
    private static func decode(
        _ packets: MediaPacketReader, _ stage: inout DecodingStage, _ ready: inout [VideoFrame],
        _ hasEnded: inout Bool
    ) throws(StreamError) {
        var failure: StreamError?
        let deliver = { (output: DecodingStage.Output) in
            switch output {
            case .picture(let frame): ready.append(frame)
            case .unusable(let error): if error.code != .malformed { failure = failure ?? error }
            case .omitted, .needsKeyFrame: break
            }
        }
        do throws(StreamError) {
            if let packet = try packets.next() {
                stage.decode(packet, deliver)
            } else {
                hasEnded = true
                stage.drain(deliver)
            }
        } catch {
            stage.drain(deliver)
            guard !ready.isEmpty, packets.postpone(error) else { throw error }
        }
        if let failure { throw failure }
    }

    private func requireSeekable() throws(StreamError) {
        guard !packets.input.isSeekable else { return }
        throw StreamError(.unsupported, "\(location) is live or a pipe and cannot seek: open it again.")
    }

    private static func undecodable(_ location: MediaLocation, _ track: TrackInfo, _ corruptCount: Int) -> StreamError {
        // Without their number, so that the reason is the same each time that a live stream is tried.
        let cause = corruptCount == 0 ? "it has no packets" : "its packets cannot be decoded"
        return StreamError(
            .malformed,
            "The \(track.codec) stream of \(location) has no decodable frame (\(cause)): check the file.")
    }
}

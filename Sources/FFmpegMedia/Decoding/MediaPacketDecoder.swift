import CVitrailFFmpeg
public import MediaIO
import VitrailSupport

/// Decodes the packets of a track through FFmpeg, whatever they come from.
///
/// Frames are lent by the decoder without a copy. If sinks offer memory of their own, frames are decoded there. Frames
/// stored bottom-up are lent with a negative stride. Only formats without a ``PixelFormat``, such as palettes and
/// big-endian words, are converted to the nearest one, without loss if one can hold all of it.
///
/// Motion JPEG is decoded at a half, a quarter or an eighth of its width and height if sinks want no more pixels.
///
/// Of pictures that the stream marks as interlaced, each field becomes a frame (``Options/deinterlacing``).
///
/// **Thread:** one at a time. **Cost:** every frame: its ``PixelBuffer``, and what FFmpeg allocates. The bytes of
/// packets are not copied, unless they come with ``EncodedPacket/Framing/lengths(byteCount:)`` and without a record.
public final class MediaPacketDecoder: PacketDecoder {
    private let track: TrackInfo
    /// The size of its pictures before a reduction, as far as it is known.
    private var size: VideoSize?
    private let options: Options
    private var context: DecoderContext
    private var packet: OwnedPacket
    /// Whether the lengths in H.264 and HEVC must be replaced by start codes; the bytes of each length, or `nil`.
    private let lengthBytes: Int?
    /// A packet with start codes instead of lengths, in reused memory.
    private var rewritten: [UInt8] = []
    /// The memory that frames are decoded into; must exist as long as the context.
    private let memory = DecoderMemory()
    private var pictures = DecodedFramePool()
    /// The pictures of the packet in hand.
    private var received: [DecodedFrame] = []
    /// Pictures that are decoded but not returned yet, in their order: some packets give several.
    private var ready: [VideoFrame] = []
    /// More than any codec reorders.
    static let maximumReady = 64
    private var deinterlacer: Deinterlacer
    private var converter = FrameConverter()
    private var describer: FrameDescriber
    /// The number of times that the decoder halves the width and height of frames.
    private var reduction = 0
    private var wantedReduction = 0
    /// What sinks wanted when they were last visible.
    private var wants = VideoSinkWants.everything
    private var isOmitting = false
    private var isUrgent = false
    /// How many more packets go before those of decoders that have had a picture; none after the first picture.
    ///
    /// A stream that never has one goes before others only for as long as some codecs may need.
    private var urgentPackets = 100
    private var hasDescribed = false

    /// Opens a decoder for a packet and those that follow it in tracks that are decoded alike.
    ///
    /// - Parameters:
    ///   - packet: the first packet, which is not decoded yet.
    ///   - slots: the slots that this decoder shares with others; `nil` for no limit.
    /// - Throws: ``StreamError/Code/unsupported`` if FFmpeg was built without the codec.
    public convenience init(for packet: EncodedPacket, slots: DecodingSlots? = nil) throws(StreamError) {
        var options = Options()
        options.slots = slots
        try self.init(for: packet, options: options)
    }

    /// Opens a decoder for a packet and those that follow it in tracks that are decoded alike.
    ///
    /// - Parameters:
    ///   - packet: the first packet, which is not decoded yet; it says what the track does not.
    ///   - options: how it is decoded.
    /// - Throws: as ``init(for:slots:)`` does.
    public convenience init(for packet: EncodedPacket, options: Options) throws(StreamError) {
        try self.init(for: packet.track, packet.track.size ?? packet.statedSize, options)
    }

    /// Opens a decoder for a track.
    ///
    /// - Parameters:
    ///   - track: the track.
    ///   - options: how it is decoded.
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that FFmpeg was built without, or for frames that are too
    ///   large; ``StreamError/Code/noMemory``.
    public convenience init(for track: TrackInfo, options: Options) throws(StreamError) {
        try self.init(for: track, track.size, options)
    }

    private init(for track: TrackInfo, _ size: VideoSize?, _ options: Options) throws(StreamError) {
        require((1...16).contains(options.threadCount ?? 1), "threadCount must be 1...16, or nil for a default.")
        MediaInput.silenceLog()
        context = try DecoderContext(track, size, options, memory)
        packet = try OwnedPacket()
        deinterlacer = Deinterlacer(options.deinterlacing, threadCount: options.threadCount)
        describer = FrameDescriber(track, options.name)
        (self.track, self.size, self.options) = (track, size, options)
        // With a configuration record, which begins with 1, the decoder reads the length prefixes itself.
        if case .lengths(let count) = track.framing, track.configuration.first != 1 {
            lengthBytes = count
        } else {
            lengthBytes = nil
        }
    }

    /// Where the colour tags of the frames come from, for people; known once a frame was decoded.
    var colorTagNotes: [ColorTags.Part: ColorTags.Note] { describer.notes }

    /// Decodes a packet.
    ///
    /// FFmpeg conceals missing data. If it notices the loss, the frame is marked (`FrameAttributes.isDamaged`), but it
    /// notices few lost packets. A `DecodingStage` finds lost packets by their numbers and marks.
    ///
    /// Of the layers of a picture, which VP9 decodes to frames with the same time, only the last is returned.
    ///
    /// - Throws: ``StreamError/Code/malformed`` if the packet cannot be decoded; ``StreamError/Code/unsupported`` for
    ///   an unknown pixel format; ``StreamError/Code/noMemory`` if memory runs out.
    public func decode(_ packet: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
        if wantedReduction != reduction { try reopen() }
        if let shared = packet.owner as? SharedPacket {
            try self.packet.refer(to: shared)
        } else if let lengthBytes {
            try rewrite(packet, lengthBytes)
            try self.packet.copy(rewritten)
        } else {
            try self.packet.refer(to: packet)
        }
        let times = packet.timing
        // Where only decoding times are known, as in AVI, FFmpeg derives the others.
        let isGuessed = times.presentation == nil && times.decoding != nil
        self.packet.setTimes(isGuessed ? nil : time, times.decoding)
        defer { self.packet.clear() }
        // Also a packet whose picture cannot be kept counts.
        let isUrgent = isUrgent || urgentPackets > 0
        urgentPackets = max(0, urgentPackets - 1)
        let failure = try context.turn(isUrgent: isUrgent) { () throws(StreamError) in
            let failure = exchange()
            try keepReceived(at: isGuessed ? nil : time)
            return failure
        }
        if !ready.isEmpty { urgentPackets = 0 }
        guard let failure else {
            throw StreamError(.noMemory, "There is not enough memory to decode \(track.codec).", underlying: ENOMEM)
        }
        guard failure < 0 else { return next() }
        let name = options.name.map { " of \($0)" } ?? ""
        throw StreamError(
            .malformed, "A packet of \(track.codec)\(name) cannot be decoded: \(context.fault ?? ffmpegText(failure)).",
            underlying: failure)
    }

    /// Returns another frame that is ready.
    public func next() -> VideoFrame? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Returns the next frame that the decoder still has.
    public func drain() -> VideoFrame? {
        if let frame = next() { return frame }
        // Signals the end of the packets. Only the first call needs it; FFmpeg refuses it later, which is harmless.
        _ = context.turn { context.send(nil) }
        // Pictures that cannot be decoded are left out; those after them may be good.
        for _ in 0...Self.maximumReady {
            let isLast = context.turn { drainOne() }
            if let frame = next() { return frame }
            if isLast { return nil }
        }
        return nil
    }

    /// Keeps one of the pictures that the decoder still has, or after the last one what the deinterlacer has.
    ///
    /// - Returns: whether there are no more.
    private func drainOne() -> Bool {
        guard let picture = pictures.take() else { return true }
        let result = context.receive(picture)
        if result == vitrail_averror_eof || result == vitrail_averror_try_again {
            try? finishDeinterlacing()
            return true
        }
        if result >= 0 {
            received.append(picture)
            try? keepReceived(at: nil)
        }
        return false
    }

    /// Forgets the packets so far, except their parameter sets.
    public func reset() -> Bool {
        guard context.fault == nil else { return false }
        context.flush()
        deinterlacer.reset()
        ready.removeAll(keepingCapacity: true)
        return true
    }

    /// Decodes the next frames into the memory that sinks want, and at a lower resolution if that is enough.
    public func adapt(to wants: VideoSinkWants) {
        // A hidden stream keeps its size: it may soon be visible again.
        guard wants.isVisible else { return }
        self.wants = wants
        memory.memory = wants.memory
        converter.memory = wants.memory
        let count = size.map { $0.width * $0.height } ?? 0
        wantedReduction =
            (0...DecoderContext.largestReduction(of: track, size)).last {
                count >> (2 * $0) >= wants.maximumPixels ?? count
            }
            ?? 0
    }

    /// Starts or stops leaving out frames that no other frame is decoded from.
    public func setOmitting(_ isOmitting: Bool) {
        self.isOmitting = isOmitting
        context.setOmitting(isOmitting)
    }

    /// Starts or stops going before the other decoders that it shares slots with.
    public func setUrgent(_ isUrgent: Bool) { self.isUrgent = isUrgent }

    /// Continues in another resolution, after the pictures that the decoder still has.
    private func reopen() throws(StreamError) {
        var rest: [VideoFrame] = []
        while let frame = drain() { rest.append(frame) }
        reduction = wantedReduction
        context = try DecoderContext(track, size, options, memory, reduction: reduction)
        context.setOmitting(isOmitting)
        ready = rest
    }

    /// Replaces each length prefix by a start code, in ``rewritten``.
    private func rewrite(_ packet: EncodedPacket, _ lengthBytes: Int) throws(StreamError) {
        rewritten.removeAll(keepingCapacity: true)
        try packet.withUnsafeBytes { (bytes) throws(StreamError) in
            var place = 0
            while place < bytes.count {
                let rest = bytes.count - place - lengthBytes
                let length = rest < 0 ? 0 : bytes[place..<place + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
                guard length > 0, length <= rest else {
                    throw StreamError(
                        .malformed,
                        "A packet of \(packet.codec) cannot be decoded: a unit at byte \(place) has \(length) bytes, "
                            + "of which \(max(rest, 0)) are there.")
                }
                rewritten += [0, 0, 0, 1]
                rewritten += bytes[place + lengthBytes..<place + lengthBytes + length]
                place += lengthBytes + length
            }
        }
    }

    /// Sends the packet and receives all pictures, because FFmpeg accepts no packet while pictures wait.
    ///
    /// - Returns: FFmpeg's last failure, or zero; `nil` if there is no memory for a picture.
    private func exchange() -> Int32? {
        var failure = min(packet.with { context.send($0) }, 0)
        // One that cannot be decoded does not hold up those after it.
        for _ in 0...Self.maximumReady {
            guard let picture = pictures.take(beside: received) else { return nil }
            let result = context.receive(picture)
            if result == vitrail_averror_try_again || result == vitrail_averror_eof { break }
            if result >= 0 { received.append(picture) } else { failure = result }
        }
        return failure
    }

    /// Keeps the pictures of the packet.
    ///
    /// - Throws: the first error, after the other pictures are kept.
    private func keepReceived(at time: Duration?) throws(StreamError) {
        defer { received.removeAll(keepingCapacity: true) }
        var error: StreamError?
        for picture in received {
            do throws(StreamError) { try keep(picture, at: time) } catch let problem { error = error ?? problem }
        }
        if let error { throw error }
    }

    /// Keeps a decoded picture, or those that the deinterlacer makes, until they are returned.
    private func keep(_ picture: DecodedFrame, at time: Duration?) throws(StreamError) {
        guard deinterlacer.takes(picture.frame) else { return add(try frame(picture, at: time)) }
        if !deinterlacer.continues(with: picture.frame) { try finishDeinterlacing() }
        guard deinterlacer.push(picture.frame) else { return add(try frame(picture, at: time)) }
        try takeDeinterlaced()
    }

    /// Keeps the pictures that the deinterlacer still has.
    private func finishDeinterlacing() throws(StreamError) {
        defer { deinterlacer.reset() }
        deinterlacer.finish()
        try takeDeinterlaced()
    }

    private func takeDeinterlaced() throws(StreamError) {
        while let picture = pictures.take(beside: received), deinterlacer.pull(picture.frame) {
            add(try frame(picture, at: nil))
        }
    }

    /// Keeps a picture until it is returned; of the layers of one picture, which have its time, only the last.
    private func add(_ frame: VideoFrame) {
        if let last = ready.last, let time = last.presentationTime, time == frame.presentationTime, track.codec == .vp9
        {
            ready.removeLast()
        }
        ready.append(frame)
        if ready.count > Self.maximumReady { ready.removeFirst() }
    }

    /// Reduces pictures of another size anew: those of Motion JPEG may change in size at any time.
    private func followSize() {
        guard track.codec == .motionJPEG, let coded = context.codedSize, coded != size else { return }
        size = coded
        adapt(to: wants)
    }

    private func frame(_ picture: DecodedFrame, at time: Duration?) throws(StreamError) -> VideoFrame {
        followSize()
        let description = try describer.describe(picture, reduction: reduction)
        let buffer = try description.lend(picture, &converter)
        if !hasDescribed, let describe = options.onFirstFrame {
            describe(
                StreamInfo(
                    container: "", codec: track.codec.rawValue, format: description.format.format,
                    size: description.size, frameRate: track.frameRate, isLive: options.isLive,
                    attributes: description.attributes, colorTagNotes: describer.notes))
        }
        hasDescribed = true
        let stamp = picture.frame.pointee.best_effort_timestamp
        return VideoFrame(
            buffer, attributes: description.attributes,
            presentationTime: stamp == vitrail_no_timestamp ? time : .nanoseconds(stamp))
    }
}

import CVitrailFFmpeg
public import MediaIO

/// Decodes packets that arrive without a container, such as those of a camera.
///
/// Frames are lent by the decoder without a copy.
///
/// **Thread:** one at a time. **Cost:** every frame: one copy of the encoded bytes, and what FFmpeg allocates.
public final class MediaPacketDecoder: PacketDecoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let parameters: UnsafeMutablePointer<AVCodecParameters>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let slots: DecodingSlots?
    private let codec: PacketCodec
    private let framing: EncodedPacket.Framing
    /// A packet with start codes instead of lengths, in reused memory.
    private var rewritten: [UInt8] = []
    /// The memory that frames are decoded into; must exist as long as the context.
    private let memory = DecoderMemory()
    private var pictures = DecodedFramePool()
    /// Pictures that are decoded but not returned yet, in their order: HEVC may give several at once.
    private var ready: [VideoFrame] = []
    /// More than any codec reorders.
    private static let maximumReady = 32
    private var converter = FrameConverter()

    /// Opens a decoder for a packet and those that follow it with the same codec, framing and configuration.
    ///
    /// - Parameters:
    ///   - packet: the first packet, which is not decoded yet.
    ///   - slots: the slots that this decoder shares with others; `nil` for no limit.
    /// - Throws: ``StreamError/Code/unsupported`` if FFmpeg was built without the codec.
    public convenience init(for packet: EncodedPacket, slots: DecodingSlots? = nil) throws(StreamError) {
        try self.init(packet.codec, framing: packet.framing, configuration: packet.configuration, slots: slots)
    }

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - codec: the codec of all packets.
    ///   - framing: how the NAL units of H.264 and HEVC are delimited.
    ///   - configuration: the decoder configuration record or parameter sets; empty if they are in the packets.
    ///   - slots: the slots that this decoder shares with others; `nil` for no limit.
    /// - Throws: ``StreamError/Code/unsupported`` if FFmpeg was built without the codec.
    public init(
        _ codec: PacketCodec, framing: EncodedPacket.Framing = .startCodes, configuration: [UInt8] = [],
        slots: DecodingSlots? = nil
    ) throws(StreamError) {
        let number =
            switch codec {
            case .motionJPEG: AV_CODEC_ID_MJPEG
            case .h264: AV_CODEC_ID_H264
            case .hevc: AV_CODEC_ID_HEVC
            case .vp8: AV_CODEC_ID_VP8
            case .vp9: AV_CODEC_ID_VP9
            case .av1: AV_CODEC_ID_AV1
            }
        MediaInput.silenceLog()
        var context = avcodec_alloc_context3(avcodec_find_decoder(number))
        var parameters = avcodec_parameters_alloc()
        var packet = av_packet_alloc()
        if let context { memory.attach(to: context) }
        context?.pointee.max_pixels = Int64(VideoDecoder.largestPixelCount)
        context?.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        // Frame threading delays each frame, and a camera's frames come one by one.
        context?.pointee.thread_count = 1
        context?.pointee.pkt_timebase = AVRational(num: 1, den: 1_000_000_000)
        parameters?.pointee.codec_id = number
        if let context { Self.setConfiguration(configuration, context) }
        guard let context, let parameters, let packet, avcodec_open2(context, nil, nil) >= 0 else {
            avcodec_free_context(&context)
            avcodec_parameters_free(&parameters)
            av_packet_free(&packet)
            throw StreamError(
                .unsupported, "This FFmpeg has no decoder for \(codec.rawValue): choose another codec.")
        }
        (self.context, self.parameters, self.packet) = (context, parameters, packet)
        (self.codec, self.slots) = (codec, slots)
        // With a configuration record, which begins with 1, the decoder reads the length prefixes itself.
        self.framing = configuration.first == 1 ? .startCodes : framing
    }

    /// Copies the configuration into memory that the context owns.
    private static func setConfiguration(
        _ configuration: [UInt8], _ context: UnsafeMutablePointer<AVCodecContext>
    ) {
        guard !configuration.isEmpty, configuration.count < 1 << 20,
            let memory = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
        else { return }
        configuration.withUnsafeBytes {
            if let base = $0.baseAddress { memory.copyMemory(from: base, byteCount: $0.count) }
        }
        context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        context.pointee.extradata_size = Int32(configuration.count)
    }

    deinit {
        var (context, parameters, packet) = (Optional(context), Optional(parameters), Optional(packet))
        avcodec_free_context(&context)
        avcodec_parameters_free(&parameters)
        av_packet_free(&packet)
    }

    /// Decodes a packet.
    ///
    /// FFmpeg conceals missing data. If it notices the loss, the frame is marked (`FrameAttributes.isDamaged`), but it
    /// notices few lost packets. `DecodingSource` finds lost packets by their sequence numbers.
    ///
    /// Each packet must have another time: of frames with the same time, as the layers of a picture have, only the last is
    /// returned.
    ///
    /// - Throws: ``StreamError/Code/malformed`` if the packet cannot be decoded; ``StreamError/Code/unsupported`` for
    ///   an unknown pixel format; ``StreamError/Code/noMemory`` if memory runs out.
    public func decode(_ bytes: UnsafeRawBufferPointer, at time: Duration) throws(StreamError) -> VideoFrame? {
        guard case .lengths(let count) = framing else { return try decodeUnits(bytes, at: time) }
        try rewrite(bytes, lengthBytes: count)
        return try rewritten.withUnsafeBytes { bytes in
            Result { () throws(StreamError) in try decodeUnits(bytes, at: time) }
        }.get()
    }

    /// Replaces each length prefix by a start code, in ``rewritten``.
    private func rewrite(_ bytes: UnsafeRawBufferPointer, lengthBytes: Int) throws(StreamError) {
        rewritten.removeAll(keepingCapacity: true)
        var place = 0
        while place < bytes.count {
            let rest = bytes.count - place - lengthBytes
            let length = rest < 0 ? 0 : bytes[place..<place + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
            guard length > 0, length <= rest else {
                throw StreamError(
                    .malformed,
                    "A packet of \(codec.rawValue) cannot be decoded: a unit at byte \(place) has \(length) bytes, of "
                        + "which \(max(rest, 0)) are there.")
            }
            rewritten += [0, 0, 0, 1]
            rewritten += bytes[place + lengthBytes..<place + lengthBytes + length]
            place += lengthBytes + length
        }
    }

    /// Returns the next frame that the decoder still has.
    public func drain() -> VideoFrame? {
        if !ready.isEmpty { return ready.removeFirst() }
        // Signals the end of the packets. Only the first call needs it; FFmpeg refuses it later, which is harmless.
        _ = work { avcodec_send_packet(context, nil) }
        // Pictures that cannot be decoded are left out; those after them may be good.
        for _ in 0...Self.maximumReady {
            guard let picture = pictures.take() else { return nil }
            let result = work { avcodec_receive_frame(context, picture.frame) }
            if result == vitrail_averror_eof || result == vitrail_averror_try_again { return nil }
            if result >= 0, let frame = try? frame(picture, at: .zero) { return frame }
        }
        return nil
    }

    /// Forgets the packets so far, except their parameter sets.
    public func reset() -> Bool {
        avcodec_flush_buffers(context)
        ready.removeAll(keepingCapacity: true)
        return true
    }

    private func decodeUnits(
        _ bytes: UnsafeRawBufferPointer, at time: Duration
    ) throws(StreamError) -> VideoFrame? {
        // The packet does not own these bytes, so FFmpeg copies them and never writes to them.
        let first = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        packet.pointee.data = first?.assumingMemoryBound(to: UInt8.self)
        packet.pointee.size = Int32(clamping: bytes.count)
        packet.pointee.pts = time.wholeNanoseconds
        var result = work { avcodec_send_packet(context, packet) }
        (packet.pointee.data, packet.pointee.size) = (nil, 0)
        // All pictures are fetched, because FFmpeg accepts no packet while pictures wait.
        while result >= 0 {
            guard let picture = pictures.take() else {
                throw StreamError(.noMemory, "There is not enough memory to decode \(codec.rawValue).")
            }
            result = work { avcodec_receive_frame(context, picture.frame) }
            if result >= 0 { add(try frame(picture, at: time)) }
        }
        guard result == vitrail_averror_try_again else {
            throw StreamError(
                .malformed, "A frame of \(codec.rawValue) cannot be decoded: \(ffmpegText(result)).", underlying: result
            )
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    /// Keeps a picture until it is returned; of the layers of one picture, which have its time, only the last.
    private func add(_ frame: VideoFrame) {
        if let last = ready.last, last.presentationTime == frame.presentationTime { ready.removeLast() }
        ready.append(frame)
        if ready.count > Self.maximumReady { ready.removeFirst() }
    }

    private func frame(_ picture: DecodedFrame, at time: Duration) throws(StreamError) -> VideoFrame {
        guard let format = DeliveredFormat.of(ffmpeg: picture.frame.pointee.format) else {
            throw StreamError(.unsupported, "\(codec.rawValue) in an unknown pixel format is not supported.")
        }
        let tags = StreamColors(picture.frame, orElse: parameters, format).tags
        var attributes = FrameAttributes(
            colorTags: tags, pixelAspectRatio: Rational(picture.frame.pointee.sample_aspect_ratio, 0.01...100) ?? .one,
            crop: picture.crop)
        attributes.isDamaged = picture.isCorrupt
        let buffer: PixelBuffer
        if format.isLent {
            buffer = try picture.lend(format.format)
        } else {
            let space = tags.colorSpace(of: format.format, size: picture.size)
            buffer = try converter.convert(picture, to: format.format, space.range)
        }
        let stamp = picture.frame.pointee.best_effort_timestamp
        return VideoFrame(
            buffer, attributes: attributes,
            presentationTime: stamp == vitrail_no_timestamp ? time : .nanoseconds(stamp))
    }

    /// Decodes the next frames into the memory that the sinks want.
    public func adapt(to wants: VideoSinkWants) {
        memory.memory = wants.memory
        converter.memory = wants.memory
    }

    /// Calls FFmpeg while holding a slot.
    private func work(_ call: () -> Int32) -> Int32 { slots?.hold(call) ?? call() }
}

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
    /// Where frames are decoded; kept for as long as the context.
    private let memory = DecoderMemory()
    private var pictures = DecodedFramePool()
    private var converter = FrameConverter()

    /// Opens a decoder for a packet and those that follow it with the same codec, framing and configuration.
    ///
    /// - Parameters:
    ///   - packet: the first packet, which is not decoded yet.
    ///   - slots: the slots that it shares with others to decode; `nil` for no limit.
    /// - Throws: ``StreamError/Code/unsupported`` if FFmpeg was built without it.
    public convenience init(for packet: EncodedPacket, slots: DecodingSlots? = nil) throws(StreamError) {
        try self.init(packet.codec, framing: packet.framing, configuration: packet.configuration, slots: slots)
    }

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - codec: the codec of all packets.
    ///   - framing: how the units of H.264 and HEVC are told apart.
    ///   - configuration: the decoder configuration record or parameter sets; empty if they are in the packets.
    ///   - slots: the slots that it shares with others to decode; `nil` for no limit.
    /// - Throws: ``StreamError/Code/unsupported`` if FFmpeg was built without it.
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
        // With a record the decoder reads lengths itself.
        self.framing = configuration.first == 1 ? .startCodes : framing
    }

    /// Copies what the decoder must know into memory that it releases.
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
    /// - Throws: ``StreamError/Code/malformed`` if it cannot be decoded; ``StreamError/Code/unsupported`` for an unknown
    ///   pixel format.
    public func decode(_ bytes: UnsafeRawBufferPointer, at time: Duration) throws(StreamError) -> VideoFrame? {
        guard case .lengths(let count) = framing else { return try decodeUnits(bytes, at: time) }
        try rewrite(bytes, lengthBytes: count)
        return try rewritten.withUnsafeBytes { bytes in
            Result { () throws(StreamError) in try decodeUnits(bytes, at: time) }
        }.get()
    }

    /// Puts a start code in the place of each length.
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
        guard let picture = pictures.take() else { return nil }
        // Once is enough; the second time is refused, which does no harm.
        _ = work { avcodec_send_packet(context, nil) }
        guard work({ avcodec_receive_frame(context, picture.frame) }) >= 0, !picture.isCorrupt else { return nil }
        return try? frame(picture, at: .zero)
    }

    private func decodeUnits(
        _ bytes: UnsafeRawBufferPointer, at time: Duration
    ) throws(StreamError) -> VideoFrame? {
        guard let picture = pictures.take() else {
            throw StreamError(.noMemory, "There is not enough memory to decode \(codec.rawValue).")
        }
        // FFmpeg copies what it does not own, and only reads it.
        let first = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        packet.pointee.data = first?.assumingMemoryBound(to: UInt8.self)
        packet.pointee.size = Int32(clamping: bytes.count)
        let (seconds, attoseconds) = time.components
        packet.pointee.pts = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        var result = work { avcodec_send_packet(context, packet) }
        (packet.pointee.data, packet.pointee.size) = (nil, 0)
        if result >= 0 { result = work { avcodec_receive_frame(context, picture.frame) } }
        if result == vitrail_averror_try_again { return nil }
        guard result >= 0, !picture.isCorrupt else {
            throw StreamError(
                .malformed, "A frame of \(codec.rawValue) cannot be decoded: \(ffmpegText(result)).", underlying: result
            )
        }
        return try frame(picture, at: time)
    }

    private func frame(_ picture: DecodedFrame, at time: Duration) throws(StreamError) -> VideoFrame {
        guard let format = DeliveredFormat.of(ffmpeg: picture.frame.pointee.format) else {
            throw StreamError(.unsupported, "\(codec.rawValue) in an unknown pixel format is not supported.")
        }
        let tags = StreamColors(picture.frame, orElse: parameters, format).tags
        let attributes = FrameAttributes(
            colorTags: tags, pixelAspectRatio: Rational(picture.frame.pointee.sample_aspect_ratio, 0.01...100) ?? .one,
            crop: picture.crop)
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

    /// Decodes into the memory that is wanted.
    public func adapt(to wants: VideoSinkWants) {
        memory.memory = wants.memory
        converter.memory = wants.memory
    }

    /// Calls FFmpeg in a slot.
    private func work(_ call: () -> Int32) -> Int32 { slots?.hold(call) ?? call() }
}

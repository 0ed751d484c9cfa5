import CVitrailFFmpeg
import MediaIO

/// Owns libavcodec's context for one track.
struct DecoderContext: ~Copyable {
    /// The largest frame that is decoded: 16384 × 8192, far beyond any screen but far from filling the memory.
    static let largestPixelCount = 1 << 27

    /// `nil` if another process has it.
    private let context: UnsafeMutablePointer<AVCodecContext>?
    private let sandboxed: SandboxedCodec?
    private let slots: DecodingSlots?
    /// Must exist as long as the context, which allocates frames in it.
    private let memory: DecoderMemory

    /// Opens the decoder of a track.
    ///
    /// - Parameters:
    ///   - track: the track.
    ///   - size: the size of its pictures as far as that is known.
    ///   - options: the number of threads, and the slots.
    ///   - memory: where frames are allocated.
    ///   - reduction: how many times width and height of frames are halved, at most ``largestReduction(of:_:)``.
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that FFmpeg was built without, or for frames that are too
    ///   large; ``StreamError/Code/noMemory``.
    init(
        _ track: TrackInfo, _ size: VideoSize?, _ options: MediaPacketDecoder.Options, _ memory: DecoderMemory,
        reduction: Int = 0
    ) throws(StreamError) {
        let sandboxed = options.isSandboxed ? try SandboxedCodec(track, size, options, reduction: reduction) : nil
        context = sandboxed == nil ? try Self.open(track, size, options, memory, reduction) : nil
        self.sandboxed = sandboxed
        slots = options.slots
        self.memory = memory
    }

    private static func open(
        _ track: TrackInfo, _ size: VideoSize?, _ options: MediaPacketDecoder.Options, _ memory: DecoderMemory,
        _ reduction: Int
    ) throws(StreamError) -> UnsafeMutablePointer<AVCodecContext> {
        let subject = options.name.map { "\($0) " } ?? "This track "
        let own = (track.parameters as? TrackParameters)?.parameters
        let (width, height) = (own?.pointee.width ?? 0, own?.pointee.height ?? 0)
        guard Int(width) * Int(height) <= largestPixelCount else {
            throw StreamError(
                .unsupported,
                "\(subject)has frames of \(width)x\(height), more than \(largestPixelCount) pixels: make a smaller copy."
            )
        }
        let number = own?.pointee.codec_id ?? avcodec_descriptor_get_by_name(track.codec.rawValue)?.pointee.id
        guard let number, let codec = avcodec_find_decoder(number) else {
            throw StreamError(
                .unsupported,
                "\(subject)\(describe(track, number)): convert it to H.264 elsewhere."
            )
        }
        var allocated = avcodec_alloc_context3(codec)
        guard let context = allocated else {
            throw StreamError(.noMemory, "There is not enough memory to decode \(track.codec).", underlying: ENOMEM)
        }
        var result: Int32 = 0
        if let own {
            result = avcodec_parameters_to_context(context, own)
            // Motion JPEG's decoder takes a picture that is much lower than it expects for one field of two.
            if track.codec == .motionJPEG, let size {
                (context.pointee.width, context.pointee.height) = (
                    Int32(clamping: size.width), Int32(clamping: size.height)
                )
            }
            // The track states the container's orientation, and it must be known what a frame says.
            vitrail_forget_side_data(context, AV_PKT_DATA_DISPLAYMATRIX)
        } else {
            setConfiguration(track.configuration, context)
        }
        context.pointee.pkt_timebase = .nanosecond
        context.pointee.max_pixels = Int64(largestPixelCount)
        context.pointee.lowres = Int32(reduction)
        memory.attach(to: context)
        // Otherwise FFmpeg rounds the cropping on the left to a multiple of 32, and the frame is too wide.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        context.pointee.thread_count = Int32(options.threadCount ?? sensibleThreadCount(size))
        // Frame threading delays each frame, so live streams do without it.
        if options.isLive { context.pointee.thread_type = FF_THREAD_SLICE }
        if result >= 0 { result = avcodec_open2(context, codec, nil) }
        guard result >= 0 else {
            avcodec_free_context(&allocated)
            throw StreamError(
                .unsupported,
                "\(subject)cannot be decoded as \(track.codec) (\(ffmpegText(result))): check that it is complete.",
                underlying: result)
        }
        return context
    }

    deinit {
        var context = context
        avcodec_free_context(&context)
    }

    /// Copies a configuration into memory that the context owns.
    private static func setConfiguration(
        _ configuration: [UInt8], _ context: UnsafeMutablePointer<AVCodecContext>
    ) {
        guard !configuration.isEmpty, configuration.count < 1 << 20,
            let copy = configuration.withUnsafeBufferPointer({ $0.paddedCopy() })
        else { return }
        context.pointee.extradata = copy
        context.pointee.extradata_size = Int32(configuration.count)
    }

    /// Why there is no decoder for a track.
    private static func describe(_ track: TrackInfo, _ number: AVCodecID?) -> String {
        guard number != AV_CODEC_ID_NONE else { return "is encoded in a way that this FFmpeg does not know" }
        return "is encoded as \(track.codec), for which this FFmpeg has no decoder"
    }

    /// One thread up to 1280 × 720, which one core decodes several times over; above, one per core, up to four.
    ///
    /// A wall has many streams, each with a thread that decodes: more threads would only compete for the cores, and each
    /// holds another frame in memory.
    static func sensibleThreadCount(_ size: VideoSize?) -> Int {
        guard let size, size.width * size.height > 1280 * 720 else { return 1 }
        return min(Int(av_cpu_count()), 4)
    }

    /// How many times the decoder can halve the width and height of this track's frames, which saves decoding time.
    ///
    /// Only Motion JPEG is reduced. In codecs that predict frames from others, errors would accumulate, and where
    /// chroma is not sited at the centre of its luma samples, it would be displaced. Width and height are halved only
    /// while both are even, because rounding would shift the picture.
    static func largestReduction(of track: TrackInfo, _ size: VideoSize?) -> Int {
        guard track.codec == .motionJPEG, let codec = avcodec_find_decoder(AV_CODEC_ID_MJPEG), let size,
            (track.parameters as? TrackParameters)?.mayHaveFields != true
        else { return 0 }
        return min(Int(codec.pointee.max_lowres), 3, (size.width | size.height).trailingZeroBitCount)
    }

    /// The size of the picture received last, before a reduction; `nil` if there was none.
    var codedSize: VideoSize? {
        guard let context else { return sandboxed?.codedSize }
        let size = VideoSize(width: Int(context.pointee.coded_width), height: Int(context.pointee.coded_height))
        return size.width > 0 && size.height > 0 ? size : nil
    }

    /// Sends a packet, or `nil` for the end; FFmpeg's result.
    ///
    /// Only in a ``turn(_:)``.
    func send(_ packet: UnsafePointer<AVPacket>?) -> Int32 {
        sandboxed?.send(packet) ?? avcodec_send_packet(context, packet)
    }

    /// Receives the next frame; FFmpeg's result.
    ///
    /// Only in a ``turn(_:)``.
    func receive(_ picture: DecodedFrame) -> Int32 { receive(picture.frame) }

    /// Receives the next frame into an empty one; FFmpeg's result.
    func receive(_ frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
        sandboxed?.receive(frame) ?? avcodec_receive_frame(context, frame)
    }

    /// Why nothing can be decoded any more; `nil` as long as it can.
    var fault: String? { sandboxed?.fault }

    /// Holds a slot while a packet is sent and its frames are received: depending on the codec, either call decodes.
    ///
    /// With a slot for each call, a decoded frame would wait for the turns of other decoders.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it goes before decoders that have had a picture.
    ///   - work: takes no turn itself.
    /// - Returns: what `work` returns.
    /// - Throws: what `work` throws.
    func turn<Result, Failure: Error>(
        isUrgent: Bool = false, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let slots { try slots.hold(isUrgent: isUrgent, work) } else { try work() }
    }

    /// Starts or stops leaving out frames that no other frame is decoded from.
    func setOmitting(_ isOmitting: Bool) {
        sandboxed?.setOmitting(isOmitting)
        context?.pointee.skip_frame = isOmitting ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    }

    /// Discards all packets sent so far.
    func flush() { if let sandboxed { sandboxed.flush() } else { avcodec_flush_buffers(context) } }
}

extension UnsafeBufferPointer<UInt8> {
    /// A copy in memory of FFmpeg's, followed by the zeros that its parsers read ahead; `nil` if memory runs out.
    func paddedCopy() -> UnsafeMutablePointer<UInt8>? {
        guard let memory = av_mallocz(count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { return nil }
        UnsafeMutableRawBufferPointer(start: memory, count: count).copyMemory(from: UnsafeRawBufferPointer(self))
        return memory.assumingMemoryBound(to: UInt8.self)
    }
}

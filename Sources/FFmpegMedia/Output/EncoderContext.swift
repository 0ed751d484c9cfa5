import CVitrailFFmpeg
import MediaIO

/// Owns libavcodec's context of an encoder.
struct EncoderContext: ~Copyable {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let quantizer: Double?

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - settings: the encoder, and its options.
    ///   - encoding: the interval of key frames.
    ///   - info: the size of the pictures, which is even, their rate, colour space and chroma location.
    ///   - hasGlobalHeader: whether the container has the configuration once, and not each key frame.
    ///   - subject: the output, for errors.
    /// - Throws: ``StreamError/Code/unsupported`` if it refuses; ``StreamError/Code/noMemory``.
    init(
        _ settings: EncoderSettings, _ encoding: VideoEncoding, _ info: StreamInfo, hasGlobalHeader: Bool,
        _ subject: String
    ) throws(StreamError) {
        MediaInput.silenceLog()
        var allocated = avcodec_alloc_context3(settings.codec)
        guard let context = allocated else {
            throw StreamError(.noMemory, "There is not enough memory to encode \(subject).", underlying: ENOMEM)
        }
        let rate = info.frameRate ?? Rational(30)
        let colors = info.colorSpace
        context.pointee.width = Int32(info.size.width)
        context.pointee.height = Int32(info.size.height)
        context.pointee.framerate = AVRational(num: Int32(rate.numerator), den: Int32(rate.denominator))
        context.pointee.time_base = AVRational(num: Int32(rate.denominator), den: Int32(rate.numerator))
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        context.pointee.pix_fmt = Self.format(info, settings)
        guard settings.codec.takes(context.pointee.pix_fmt) else {
            avcodec_free_context(&allocated)
            throw StreamError(
                .unsupported,
                "\(subject) cannot have \(info.format?.layout.depth ?? 8) bits with \(String(cString: settings.codec.pointee.name)): choose 8 bits, or another codec, such as hevc."
            )
        }
        context.pointee.color_range = colors.range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        context.pointee.colorspace = AVColorSpace(colors.matrix)
        context.pointee.color_primaries = AVColorPrimaries(colors.primaries)
        context.pointee.color_trc =
            colors.primaries == .bt2020 && colors.transfer == .bt709
            ? AVCOL_TRC_BT2020_10 : AVColorTransferCharacteristic(colors.transfer)
        context.pointee.chroma_sample_location = AVChromaLocation(info.chromaLocation)
        context.pointee.gop_size = Int32(clamping: encoding.keyFrameInterval ?? Self.interval(rate, encoding.tuning))
        context.pointee.bit_rate = Int64(settings.bitRate)
        if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        if let quantizer = settings.quantizer {
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = Int32((quantizer * Double(FF_QP2LAMBDA)).rounded())
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (name, value) in settings.options { av_dict_set(&options, name, value, 0) }
        let result = avcodec_open2(context, settings.codec, &options)
        guard result >= 0, av_dict_count(options) == 0 else {
            avcodec_free_context(&allocated)
            let cause = result < 0 ? ffmpegText(result) : "an option is unknown"
            throw StreamError(
                .unsupported,
                "\(subject) cannot be encoded with \(String(cString: settings.codec.pointee.name)) at \(info.size) and \(rate) pictures a second (\(cause)): choose another codec or size.",
                underlying: result)
        }
        self.context = context
        quantizer = settings.quantizer
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// FFmpeg's format of the pictures; its encoder of Motion JPEG knows full range by the format only.
    private static func format(_ info: StreamInfo, _ settings: EncoderSettings) -> AVPixelFormat {
        if info.format == .i010 { return AV_PIX_FMT_YUV420P10LE }
        let isFull = info.colorSpace.range == .full && settings.quantizer != nil
        return isFull ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P
    }

    /// The pictures of two seconds, or of ten.
    private static func interval(_ rate: Rational, _ tuning: VideoEncoding.Tuning) -> Int {
        max(1, Int((rate.value * (tuning == .live ? 2 : 10)).rounded()))
    }

    /// Sends a picture, or `nil` for the end; FFmpeg's result.
    func send(_ frame: UnsafeMutablePointer<AVFrame>?) -> Int32 {
        if let frame, quantizer != nil { frame.pointee.quality = context.pointee.global_quality }
        return avcodec_send_frame(context, frame)
    }

    /// Receives the next packet; FFmpeg's result.
    func receive(_ packet: UnsafeMutablePointer<AVPacket>) -> Int32 { avcodec_receive_packet(context, packet) }

    /// Describes what it makes.
    ///
    /// - Parameters:
    ///   - codec: its codec.
    ///   - info: what it was opened for.
    /// - Returns: what its packets have in common.
    /// - Throws: ``StreamError/Code/noMemory``.
    func track(_ codec: PacketCodec, _ info: StreamInfo) throws(StreamError) -> TrackInfo {
        guard let parameters = avcodec_parameters_alloc() else { throw Self.noMemory }
        let own = TrackParameters(adopting: parameters)
        guard avcodec_parameters_from_context(parameters, context) >= 0 else { throw Self.noMemory }
        var track = TrackInfo(
            codec: codec,
            configuration: Array(
                UnsafeBufferPointer(
                    start: parameters.pointee.extradata, count: Int(max(parameters.pointee.extradata_size, 0)))),
            size: info.size, frameRate: info.frameRate, attributes: info.attributes)
        track.parameters = own
        return track
    }

    private static var noMemory: StreamError {
        StreamError(.noMemory, "There is not enough memory for another track.", underlying: ENOMEM)
    }

    /// The format of its pictures.
    var format: AVPixelFormat { context.pointee.pix_fmt }

    /// The unit of its times, in seconds.
    var timeUnit: AVRational { context.pointee.time_base }
}

extension UnsafePointer<AVCodec> {
    /// Whether the encoder takes pictures of a format; true if it does not say it.
    fileprivate func takes(_ format: AVPixelFormat) -> Bool {
        guard var next = vitrail_encoder_formats(self) else { return true }
        while next.pointee != AV_PIX_FMT_NONE {
            if next.pointee == format { return true }
            next += 1
        }
        return false
    }
}

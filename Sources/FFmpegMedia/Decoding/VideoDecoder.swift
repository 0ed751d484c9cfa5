import CVitrailFFmpeg
import Glibc
import MediaIO

/// Owns libavcodec's context for one stream.
struct VideoDecoder: ~Copyable {
    /// The result of ``receive(_:)``.
    enum Step {
        /// The picture holds a frame.
        case picture
        /// The decoder needs another packet.
        case needsPacket
        /// A frame could not be decoded.
        case corrupt
        /// There are no more frames.
        case ended
    }

    /// The largest frame that is decoded: 16384 × 8192, far beyond any screen but far from filling the memory.
    static let largestPixelCount = 1 << 27

    private let context: UnsafeMutablePointer<AVCodecContext>
    private let slots: DecodingSlots?
    /// Must exist as long as the context, which allocates frames in it.
    private let memory: DecoderMemory

    /// Opens the decoder of `stream`.
    ///
    /// - Parameters:
    ///   - stream: a stream with known parameters.
    ///   - location: for the error.
    ///   - options: the number of threads, and the slots.
    ///   - memory: where frames are allocated.
    ///   - reduction: how many times width and height of frames are halved, at most ``largestReduction(of:)``.
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that FFmpeg was built without, or for frames that are too
    ///   large; ``StreamError/Code/cannotOpen`` if memory runs out.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, _ location: MediaLocation, _ options: MediaReader.Options,
        _ memory: DecoderMemory, reduction: Int = 0
    ) throws(StreamError) {
        let parameters = stream.pointee.codecpar.pointee
        let name = String(cString: avcodec_get_name(parameters.codec_id))
        guard Int(parameters.width) * Int(parameters.height) <= Self.largestPixelCount else {
            throw StreamError(
                .unsupported,
                "\(location) has frames of \(parameters.width)x\(parameters.height), more than \(Self.largestPixelCount) pixels: make a smaller copy."
            )
        }
        guard let codec = avcodec_find_decoder(parameters.codec_id) else {
            throw StreamError(
                .unsupported,
                "\(location) is encoded as \(name), for which this FFmpeg has no decoder: convert it to H.264 elsewhere."
            )
        }
        var allocated = avcodec_alloc_context3(codec)
        guard let context = allocated else {
            throw StreamError(.cannotOpen, "There is not enough memory to decode \(location).", underlying: ENOMEM)
        }
        var result = avcodec_parameters_to_context(context, stream.pointee.codecpar)
        // The session reads the container's orientation itself, and has to know what a frame says.
        vitrail_forget_side_data(context, AV_PKT_DATA_DISPLAYMATRIX)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.max_pixels = Int64(Self.largestPixelCount)
        context.pointee.lowres = Int32(reduction)
        memory.attach(to: context)
        // Otherwise FFmpeg rounds the cropping on the left to a multiple of 32, and the frame is too wide.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        context.pointee.thread_count = Int32(options.threadCount ?? Self.sensibleThreadCount(parameters))
        // Frame threading delays each frame, so live streams do without it.
        if location.isNetwork { context.pointee.thread_type = FF_THREAD_SLICE }
        if result >= 0 { result = avcodec_open2(context, codec, nil) }
        guard result >= 0 else {
            avcodec_free_context(&allocated)
            throw StreamError(
                .unsupported,
                "The \(name) stream of \(location) cannot be decoded (\(ffmpegText(result))): check that the file is complete.",
                underlying: result)
        }
        self.context = context
        self.memory = memory
        slots = options.slots
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// One thread up to 1280 × 720, which one core decodes several times over; above, one per core, up to four.
    ///
    /// A wall has many streams, each with a capture thread that decodes: more threads would only compete for the cores,
    /// and each holds another frame in memory.
    private static func sensibleThreadCount(_ parameters: AVCodecParameters) -> Int {
        let isSmall = Int(parameters.width) * Int(parameters.height) <= 1280 * 720
        return isSmall ? 1 : min(Int(av_cpu_count()), 4)
    }

    /// How many times the decoder can halve the width and height of this stream's frames, which saves decoding time.
    ///
    /// Only Motion JPEG is reduced. In codecs that predict frames from others, errors would accumulate, and where
    /// chroma is not sited at the centre of its luma samples, it would be displaced. Width and height are halved only
    /// while both are even, because rounding would shift the picture.
    static func largestReduction(of stream: UnsafeMutablePointer<AVStream>) -> Int {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.codec_id == AV_CODEC_ID_MJPEG, let codec = avcodec_find_decoder(parameters.codec_id),
            parameters.field_order == AV_FIELD_UNKNOWN || parameters.field_order == AV_FIELD_PROGRESSIVE
        else { return 0 }
        let sides = parameters.width | parameters.height
        return sides == 0 ? 0 : min(Int(codec.pointee.max_lowres), 3, sides.trailingZeroBitCount)
    }

    /// Receives the next frame.
    func receive(_ picture: DecodedFrame) -> Step {
        let result = work { avcodec_receive_frame(context, picture.frame) }
        if result >= 0 { return .picture }
        if result == vitrail_averror_try_again { return .needsPacket }
        return result == vitrail_averror_eof ? .ended : .corrupt
    }

    /// Sends a packet; false if it cannot be decoded.
    func send(_ packet: UnsafePointer<AVPacket>) -> Bool { work { avcodec_send_packet(context, packet) } >= 0 }

    /// Signals that there are no more packets.
    func finish() { _ = work { avcodec_send_packet(context, nil) } }

    /// Starts or stops leaving out frames that no other frame is decoded from.
    func setOmitting(_ isOmitting: Bool) {
        context.pointee.skip_frame = isOmitting ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    }

    /// Discards all packets sent so far, for a seek.
    func flush() { avcodec_flush_buffers(context) }

    /// Calls FFmpeg while holding a slot, both to send and to receive: depending on the codec, either call decodes.
    private func work(_ call: () -> Int32) -> Int32 { slots?.hold(call) ?? call() }
}

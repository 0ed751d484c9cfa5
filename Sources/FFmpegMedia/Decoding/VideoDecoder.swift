import CVitrailFFmpeg
import Glibc
import MediaIO

/// Owns libavcodec's context for one stream.
struct VideoDecoder: ~Copyable {
    /// What asking for a picture led to.
    enum Step {
        /// The frame holds a picture.
        case picture
        /// A packet is needed first.
        case needsPacket
        /// Something could not be decoded.
        case corrupt
        /// All pictures are out.
        case ended
    }

    /// The largest picture that is decoded: 16384 × 8192, far beyond any screen and far below what fills the memory.
    static let largestPixelCount = 1 << 27

    private let context: UnsafeMutablePointer<AVCodecContext>

    /// Opens the decoder of `stream`.
    ///
    /// - Parameters:
    ///   - stream: with known parameters.
    ///   - location: for the error.
    ///   - threads: how many decode, or `nil` for ``sensibleThreadCount(_:)``.
    /// - Throws: ``StreamError/Code/unsupported`` for a codec that FFmpeg was built without, or a picture too large.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, _ location: MediaLocation, threads: Int?
    ) throws(StreamError) {
        let parameters = stream.pointee.codecpar.pointee
        let name = String(cString: avcodec_get_name(parameters.codec_id))
        guard Int(parameters.width) * Int(parameters.height) <= Self.largestPixelCount else {
            throw StreamError(
                .unsupported,
                "\(location) has pictures of \(parameters.width)x\(parameters.height), more than \(Self.largestPixelCount) pixels: make a smaller copy."
            )
        }
        guard let codec = avcodec_find_decoder(parameters.codec_id) else {
            throw StreamError(
                .unsupported,
                "\(location) is coded as \(name), which this FFmpeg has no decoder for: make a copy in H.264 elsewhere."
            )
        }
        var allocated = avcodec_alloc_context3(codec)
        guard let context = allocated else {
            throw StreamError(.cannotOpen, "There is no memory left to decode \(location).", underlying: ENOMEM)
        }
        var result = avcodec_parameters_to_context(context, stream.pointee.codecpar)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.max_pixels = Int64(Self.largestPixelCount)
        // Otherwise a picture cut off at its left is cut off at the next multiple of 32, and so too wide.
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        context.pointee.thread_count = Int32(threads ?? Self.sensibleThreadCount(parameters))
        // Threads that decode several frames at once hold each back; what is live goes without.
        if case .network = location { context.pointee.thread_type = FF_THREAD_SLICE }
        if result >= 0 { result = avcodec_open2(context, codec, nil) }
        guard result >= 0 else {
            avcodec_free_context(&allocated)
            throw StreamError(
                .unsupported,
                "The \(name) stream of \(location) cannot be decoded (\(ffmpegText(result))): check that the file is whole.",
                underlying: result)
        }
        self.context = context
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// One up to 1280 × 720, which one core decodes several times over; then as many as there are cores, up to four.
    ///
    /// A wall has many streams, each with a capture thread that decodes: more threads would only take turns, and each
    /// holds another frame in memory.
    private static func sensibleThreadCount(_ parameters: AVCodecParameters) -> Int {
        let isSmall = Int(parameters.width) * Int(parameters.height) <= 1280 * 720
        return isSmall ? 1 : min(Int(av_cpu_count()), 4)
    }

    /// Asks for the next picture.
    func receive(_ picture: Picture) -> Step {
        let result = avcodec_receive_frame(context, picture.frame)
        if result >= 0 { return .picture }
        if result == vitrail_averror_try_again { return .needsPacket }
        return result == vitrail_averror_eof ? .ended : .corrupt
    }

    /// Hands over a packet; false when it is of no use.
    func send(_ packet: UnsafePointer<AVPacket>) -> Bool { avcodec_send_packet(context, packet) >= 0 }

    /// Says that there are no more packets.
    func finish() { avcodec_send_packet(context, nil) }

    /// Forgets all that was handed over, for another place in the stream.
    func flush() { avcodec_flush_buffers(context) }
}

import CVitrailFFmpeg
import Glibc
import MediaIO

/// An open container: owns libavformat's context and the bytes that it reads.
final class MediaInput {
    /// The result of ``read(_:)``.
    enum Step {
        /// ``packet`` holds a packet of the requested stream.
        case packet
        /// There are no more packets; the code is FFmpeg's error, or `nil` at the normal end.
        case ended(readError: Int32?)
        /// A part of the container is corrupt; reading continues after it.
        case corrupt
    }

    /// The number of consecutive corrupt packets beyond which the stream counts as ended.
    private static let maximumCorruptPackets = 64

    let location: MediaLocation
    let context: UnsafeMutablePointer<AVFormatContext>
    let packet: UnsafeMutablePointer<AVPacket>
    /// The colour tags of the streams that the container's header has.
    let containerTags: [ContainerTags]
    private let bytes: FileBytes?
    private let interruption: Interruption
    private var corruptPackets = 0

    /// Opens the container and finds its streams.
    ///
    /// - Throws: ``StreamError``, naming the location, the cause and what to do.
    init(_ location: MediaLocation, timeout: Duration, cancellation: ReadCancellation) throws(StreamError) {
        let interruption = Interruption(cancellation, timeout: timeout)
        var bytes: FileBytes?
        if case .file(let path) = location { bytes = try FileBytes(path, interruption) }
        guard let allocated = avformat_alloc_context() else { throw Self.error(location, vitrail_averror(ENOMEM)) }
        allocated.pointee.interrupt_callback = interruption.callback
        self.context = try Self.open(location, bytes, allocated, interruption)
        guard let packet = av_packet_alloc() else {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw Self.error(location, vitrail_averror(ENOMEM))
        }
        (self.location, self.bytes, self.interruption, self.packet) = (location, bytes, interruption, packet)
        containerTags = (0..<Int32(context.pointee.nb_streams)).compactMap { [context] index in
            vitrail_stream(context, index).map { ContainerTags($0.pointee.codecpar.pointee) }
        }
        armForNetwork()
        let result = avformat_find_stream_info(context, nil)
        if let error = interruption.error(location) { throw error }
        guard result >= 0 else { throw Self.error(location, result) }
    }

    deinit {
        // The library may still call the bytes and the interruption here: they are members and outlive this body.
        var (context, packet) = (Optional(context), Optional(packet))
        av_packet_free(&packet)
        avformat_close_input(&context)
    }

    /// Whether it can go back to an earlier place, if necessary by opening the input again.
    var isSeekable: Bool {
        if let io = context.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 { return true }
        // A server's recording can be requested again; a socket's data cannot.
        guard case .network(let url) = location, context.pointee.duration > 0 else { return false }
        return context.pointee.pb == nil || url.lowercased().hasPrefix("http")
    }

    /// Whether it is live, as a camera is: it has no duration and cannot seek.
    ///
    /// Segmented streams such as HLS are not live in this sense: a segment of seconds arrives as a whole.
    var isLive: Bool {
        guard case .network = location, !isSeekable, context.pointee.duration <= 0 else { return false }
        let kind = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        if kind.contains("hls") || kind.contains("dash") { return false }
        // A server that knows the length sends a file, although it may not support sending parts of it.
        guard let io = context.pointee.pb else { return true }
        return avio_size(io) <= 0
    }

    /// Whether the container stores no timestamps, so that seeking by time does not work.
    var lacksTimestamps: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0 }

    /// Whether the container's format allows timestamps to jump.
    var allowsJumps: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }

    /// For how long packets were waited for so far.
    private(set) var timeWaited = Duration.zero

    /// Reads the next packet of `stream` into ``packet``.
    ///
    /// - Throws: ``StreamError`` if cancelled or after a time-out.
    func read(_ stream: Int32) throws(StreamError) -> Step {
        // The wait may have ended in the previous call, which still had a packet to return.
        if interruption.hasFired { throw interruption.timeoutError(location) }
        armForNetwork()
        while true {
            av_packet_unref(packet)
            let begin = ThreadTime()
            let result = av_read_frame(context, packet)
            timeWaited += begin.timeWaited
            if result < 0 || interruption.isCancelled, let error = interruption.error(location) { throw error }
            if result >= 0 {
                guard packet.pointee.stream_index == stream else { continue }
                corruptPackets = 0
                return .packet
            }
            if result == vitrail_averror_try_again {
                usleep(2_000)
                continue
            }
            // The container reports an I/O error as its end or as invalid data.
            let failure = context.pointee.pb?.pointee.error ?? 0
            if failure < 0, failure != vitrail_averror_eof { return .ended(readError: failure) }
            if result == vitrail_averror_eof { return .ended(readError: nil) }
            if context.pointee.pb == nil, result != vitrail_averror_invalid_data { return .ended(readError: result) }
            corruptPackets += 1
            return corruptPackets > Self.maximumCorruptPackets ? .ended(readError: nil) : .corrupt
        }
    }

    /// Seeks to the key frame at or before a time in the stream's units; false if that is not possible.
    func seek(_ stream: Int32, _ ticks: Int64) -> Bool {
        armForNetwork()
        corruptPackets = 0
        return av_seek_frame(context, stream, ticks, AVSEEK_FLAG_BACKWARD) >= 0
    }

    private func armForNetwork() {
        // Seeking in a large local file may take long; waiting for a silent network must not.
        if bytes == nil { interruption.arm() }
    }

    /// The error for a location that could not be opened.
    static func error(_ location: MediaLocation, _ code: Int32) -> StreamError {
        let cause = ffmpegText(code)
        if case .network = location {
            return StreamError(
                .cannotOpen,
                "\(location) cannot be opened (\(cause)): check the address, and that the server is running and sends video.",
                underlying: code)
        }
        return StreamError(
            .malformed,
            "\(location) is not a media file that FFmpeg can read (\(cause)): check that it is complete, or run ffprobe on it.",
            underlying: code)
    }
}

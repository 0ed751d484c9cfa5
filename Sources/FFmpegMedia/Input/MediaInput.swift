import CVitrailFFmpeg
import Glibc
import MediaIO

/// An open container: owns libavformat's context and what that one reads from.
final class MediaInput {
    /// What reading led to.
    enum Step {
        /// ``packet`` holds a packet of the stream asked for.
        case packet
        /// There is nothing more; the code says what broke, or is `nil` where the stream simply ended.
        case ended(breakage: Int32?)
        /// Something in the container cannot be understood; reading goes on after it.
        case corrupt
    }

    /// More corrupt packets in a row than this, with nothing usable between them, are taken for the end.
    private static let maximumCorruptPackets = 64

    let location: MediaLocation
    let context: UnsafeMutablePointer<AVFormatContext>
    let packet: UnsafeMutablePointer<AVPacket>
    private let bytes: FileBytes?
    private let interruption: Interruption
    private var corruptPackets = 0

    /// Opens the container and looks at its streams.
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
        armForNetwork()
        let result = avformat_find_stream_info(context, nil)
        if let error = interruption.error(location) { throw error }
        guard result >= 0 else { throw Self.error(location, result) }
    }

    deinit {
        // The bytes and the interruption are members and so outlive this body, in which the library may still call them.
        var (context, packet) = (Optional(context), Optional(packet))
        av_packet_free(&packet)
        avformat_close_input(&context)
    }

    /// Whether one can go back to an earlier place, if need be by opening the input again.
    var isSeekable: Bool {
        if let io = context.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 { return true }
        // A server that has a recording can be asked for it again; a socket cannot.
        guard case .network(let url) = location, context.pointee.duration > 0 else { return false }
        return context.pointee.pb == nil || url.lowercased().hasPrefix("http")
    }

    /// Whether what is read now cannot be had again, as from a camera: it has no length and no place to go back to.
    ///
    /// Lists of segments are not live in this sense: each segment comes at once and holds seconds.
    var isLive: Bool {
        guard case .network = location, !isSeekable, context.pointee.duration <= 0 else { return false }
        let kind = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        if kind.contains("hls") || kind.contains("dash") { return false }
        // A server that knows how long the file is sends a file, though it may not know how to send a part of it.
        guard let io = context.pointee.pb else { return true }
        return avio_size(io) <= 0
    }

    /// Whether times in this container are made up rather than stored, so that a place cannot be found by its time.
    var lacksTimestamps: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0 }

    /// Whether the container's rules allow its times to jump.
    var allowsJumps: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }

    /// Reads the next packet of `stream` into ``packet``.
    ///
    /// - Throws: ``StreamError`` when cancelled or when nothing came for too long.
    func read(_ stream: Int32) throws(StreamError) -> Step {
        armForNetwork()
        while true {
            av_packet_unref(packet)
            let result = av_read_frame(context, packet)
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
            // What breaks underneath is reported by the container as its end, or as nonsense.
            let failure = context.pointee.pb?.pointee.error ?? 0
            // The wait may have ended in the call before, which still had a packet to hand out.
            if failure == vitrail_averror_exit { throw interruption.timeoutError(location) }
            if failure < 0, failure != vitrail_averror_eof { return .ended(breakage: failure) }
            if result == vitrail_averror_eof { return .ended(breakage: nil) }
            if context.pointee.pb == nil, result != vitrail_averror_invalid_data { return .ended(breakage: result) }
            corruptPackets += 1
            return corruptPackets > Self.maximumCorruptPackets ? .ended(breakage: nil) : .corrupt
        }
    }

    /// Goes to the key frame at or before a time in the stream's units; false where that is not possible.
    func seek(_ stream: Int32, _ ticks: Int64) -> Bool {
        armForNetwork()
        corruptPackets = 0
        return av_seek_frame(context, stream, ticks, AVSEEK_FLAG_BACKWARD) >= 0
    }

    private func armForNetwork() {
        // A large local file may take its time; a network that says nothing must not.
        if bytes == nil { interruption.arm() }
    }

    /// Says why `location` could not be opened.
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
            "\(location) is not a media file that can be read (\(cause)): check that it is complete, or try ffprobe on it.",
            underlying: code)
    }
}

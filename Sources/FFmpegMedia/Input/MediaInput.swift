import CVitrailFFmpeg
import Glibc
import MediaIO

/// An open container: owns libavformat's context and the bytes that it reads.
final class MediaInput {
    /// The result of ``read(_:)``.
    enum Step {
        /// ``packet`` holds a packet of the requested streams, or the first one since there are more streams.
        case packet
        /// There are no more packets; `readError` is FFmpeg's error, or `nil` at the normal end.
        case ended(readError: Int32?)
        /// A part of the container is corrupt; reading continues after it.
        case corrupt
    }

    /// The number of consecutive corrupt packets beyond which the stream counts as ended.
    private static let maximumCorruptPackets = 64

    let location: MediaLocation
    let context: UnsafeMutablePointer<AVFormatContext>
    let packet: UnsafeMutablePointer<AVPacket>
    /// The colour tags in the container's header, one entry per stream.
    private let containerTags: [ContainerTags]
    private var early = EarlyPackets()
    private let bytes: FileBytes?
    private let access: NetworkAccess?
    private let interruption: Interruption
    /// `nil` for what is not live.
    private var silence: SilenceLimit?
    private var corruptPackets = 0
    /// The number of streams when it was last said which of them to leave out.
    private var knownCount = 0

    /// Opens the container and finds its streams; ``finishOpening()`` follows the first picture.
    ///
    /// - Throws: ``StreamError``, naming the location, the cause and what to do.
    init(
        _ location: MediaLocation, _ options: MediaReader.Options, _ cancellation: ReadCancellation
    ) throws(StreamError) {
        let interruption = Interruption(cancellation, timeout: options.timeout)
        var bytes: FileBytes?
        switch location {
        case .file(let path): bytes = try FileBytes(path, interruption)
        case .session(let path):
            let description = try FileBytes(path, interruption)
            try Self.checkVideo(in: description, location)
            bytes = description
        case .network:
            try NetworkAccess.checkPort(location)
            try NetworkAccess.check(options.trust)
        }
        guard let allocated = avformat_alloc_context() else { throw Self.error(location, vitrail_averror(ENOMEM)) }
        allocated.pointee.interrupt_callback = interruption.callback
        let access = location.url.map { _ in NetworkAccess(allocated, options.trust, interruption) }
        self.context = try Self.open(
            location, bytes, allocated, interruption, access, decodes: !options.isSandboxed)
        guard let packet = av_packet_alloc() else {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw Self.error(location, vitrail_averror(ENOMEM))
        }
        (self.location, self.bytes, self.access) = (location, bytes, access)
        (self.interruption, self.packet) = (interruption, packet)
        containerTags = (0..<Int32(context.pointee.nb_streams)).compactMap { [context] index in
            vitrail_stream(context, index).map { ContainerTags($0.pointee.codecpar.pointee) }
        }
        if location.isNetwork { interruption.count(context.pointee.pb) }
        // The time-out is not restarted: it covers the connection and the examination of the streams together.
        let isLive = isLive
        if isLive { silence = SilenceLimit(timeout: options.timeout) }
        // Otherwise it would wait for twenty pictures of a live stream.
        if isLive { context.pointee.fps_probe_size = 0 }
        let isNamed = isLive && findVideo()
        let result = isNamed ? 0 : avformat_find_stream_info(context, nil)
        if let error = access?.error(location) ?? interruption.error(location) { throw error }
        guard result >= 0 else { throw Self.error(location, result) }
        access?.finishOpening(context)
    }

    deinit {
        // FFmpeg may still use `bytes` and `interruption` here: they are members, so they outlive this body.
        interruption.count(nil)
        var (context, packet) = (Optional(context), Optional(packet))
        av_packet_free(&packet)
        avformat_close_input(&context)
    }

    /// Whether the input can go back to an earlier place, if necessary by being opened again.
    var isSeekable: Bool {
        if let io = context.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 { return true }
        // A server's recording can be requested again; a socket's data cannot.
        guard let scheme = location.url?.scheme, context.pointee.duration > 0 else { return false }
        return context.pointee.pb == nil || scheme.hasPrefix("http")
    }

    /// Whether the input is live, as a camera is: it has no duration and cannot seek.
    ///
    /// Segmented streams such as HLS are not live in this sense: segments of several seconds arrive as a whole.
    var isLive: Bool {
        if case .session = location { return true }
        guard location.isNetwork, !isSeekable, context.pointee.duration <= 0, !isSegmented else { return false }
        // A server that states the length sends a file, even if it cannot send parts of the file.
        guard let io = context.pointee.pb else { return true }
        return avio_size(io) <= 0
    }

    /// The container or protocol, by FFmpeg's name.
    var kind: String { context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "unknown" }

    /// The number of streams that are known so far.
    var streamCount: Int { Int(context.pointee.nb_streams) }

    /// The streams that are known so far.
    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int32(context.pointee.nb_streams)).compactMap { vitrail_stream(context, $0) }
    }

    /// The containers and protocols that name the codec of each stream before its first packet, which is all that must be
    /// known of a live stream.
    ///
    /// FFmpeg would read on until it has guessed the frame rate and decoded seven pictures, or for a second where the
    /// header does not say how many streams follow. Decoders open at the first key frame instead, which says the rest. In
    /// other containers, the decoders' records come later.
    private static let namingKinds: Set = ["flv", "mpegts", "rtp", "rtsp", "sdp"]

    /// Reads packets until the codec of the video is known, and keeps them; only sound is read for a second at most.
    ///
    /// - Returns: whether it is known.
    private func findVideo() -> Bool {
        guard Self.namingKinds.contains(kind) else { return false }
        var end: MonotonicTime?
        while !hasKnownVideo {
            guard !early.isFull, end.map({ .now < $0 }) ?? true, readFrame() >= 0, early.append(moving: packet) else {
                return false
            }
            end = end ?? .now + .seconds(1)
        }
        return true
    }

    private var hasKnownVideo: Bool {
        let video = streams.map { $0.pointee.codecpar.pointee }.filter { $0.codec_type == AVMEDIA_TYPE_VIDEO }
        return !video.isEmpty && video.allSatisfy { $0.codec_id != AV_CODEC_ID_NONE }
    }

    /// Reads FFmpeg's next packet; FFmpeg's result.
    private func readFrame() -> Int32 {
        while true {
            let result = av_read_frame(context, packet)
            guard result == vitrail_averror_try_again, !interruption.isDue else { return result }
            usleep(2_000)
        }
    }

    /// The colour tags in the container's header; `nil` for a stream that was found later.
    func containerTags(of stream: UnsafePointer<AVStream>) -> ContainerTags? {
        let index = Int(stream.pointee.index)
        return index < containerTags.count ? containerTags[index] : nil
    }

    /// Removes the limit on the time to the first picture.
    func finishOpening() { interruption.finishOpening() }

    /// The unit of a stream's timestamps, in seconds.
    func timeUnit(of stream: Int) -> AVRational? { vitrail_stream(context, Int32(stream))?.pointee.time_base }

    /// Has the demuxer leave out all streams but some.
    func discard(except selected: Set<Int>) {
        for stream in streams {
            let isKept = selected.contains(Int(stream.pointee.index))
            stream.pointee.discard = isKept ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        knownCount = streamCount
    }

    /// Whether the input is a list of segments: HLS or DASH.
    private var isSegmented: Bool { kind == "hls" || kind == "dash" }

    /// Whether the input is a list of segments whose end is not announced yet; FFmpeg says so of HLS, but not of DASH.
    var isOngoing: Bool {
        // FFmpeg sets this flag as long as the list has no end mark, such as #EXT-X-ENDLIST.
        location.isNetwork && isSegmented && context.pointee.duration <= 0
            && context.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE != 0
    }

    /// The error that ended a list of segments before the list announced its end; `nil` if it has ended normally.
    private var breakOff: Int32? {
        guard location.isNetwork, isSegmented, context.pointee.duration <= 0 else { return nil }
        if let failure = access?.lastFailure { return failure }
        return isOngoing ? vitrail_averror_eof : nil
    }

    /// Whether the container stores no timestamps, so that seeking by time does not work.
    var lacksTimestamps: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0 }

    /// Whether the container's format allows timestamps to jump.
    var allowsJumps: Bool { (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }

    /// Reads the next packet of the selected streams into ``packet``.
    ///
    /// - Throws: ``StreamError`` if cancelled or after a time-out.
    func read(_ selected: Set<Int>) throws(StreamError) -> Step {
        // A limit may have passed in the previous call, which still had a packet to return.
        if interruption.hasFired, let error = interruption.error(location) { throw error }
        armForNetwork()
        while true {
            // Packets may arrive so fast that FFmpeg never waits, and then it never checks for an interruption.
            if interruption.isDue, let error = interruption.error(location) { throw error }
            av_packet_unref(packet)
            let result = early.take(into: packet) ? 0 : readFrame()
            // When a wait ends, FFmpeg's parser gives the picture that it still has, which is as old as the wait was long.
            if result < 0 || interruption.isDue, let error = interruption.error(location) { throw error }
            if result >= 0 {
                // The reader of packets decides about new streams.
                if streamCount != knownCount {
                    discard(except: selected)
                    return .packet
                }
                guard selected.contains(Int(packet.pointee.stream_index)) else { continue }
                corruptPackets = 0
                silence?.notePacket()
                return .packet
            }
            // FFmpeg's demuxers may report an I/O error as the end or as invalid data, so look for the error itself.
            let failure = context.pointee.pb?.pointee.error ?? 0
            if failure < 0, failure != vitrail_averror_eof { return .ended(readError: failure) }
            if result == vitrail_averror_eof { return .ended(readError: breakOff) }
            if context.pointee.pb == nil || isSegmented, result != vitrail_averror_invalid_data {
                return .ended(readError: result)
            }
            corruptPackets += 1
            return corruptPackets > Self.maximumCorruptPackets ? .ended(readError: breakOff) : .corrupt
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
        if location.isNetwork { interruption.arm(for: silence?.limit) }
    }
}

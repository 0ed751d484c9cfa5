import CVitrailFFmpeg
import Glibc
import MediaIO

/// Opening an input, and restricting what it may access.
extension MediaInput {
    /// Containers whose whole content is a list of other files.
    ///
    /// They are rejected by name to give a clear error; the restrictions below would stop them as well.
    private static let referring: Set = [
        "concat", "dash", "hls", "imf", "rtsp", "sap", "sdp", "vobsub", "webm_dash_manifest",
    ]

    /// The protocols that a network stream may use: never `file`, `pipe`, `unix`, `concat`, `subfile`, `data`, `cache`.
    private static let networkProtocols =
        "crypto,ffrtmphttp,http,httpproxy,https,rtmp,rtmps,rtmpt,rtmpts,rtp,srt,srtp,tcp,tls,udp"
    /// The protocols for RTSP and session descriptions: without TLS, because their demuxers do not verify servers.
    private static let sessionProtocols = "http,httpproxy,rtp,srtp,tcp,udp"

    /// Up to this probe score, FFmpeg is unsure of the format and wants to see more of the file (AVPROBE_SCORE_RETRY).
    private static let retryScore: Int32 = 25

    /// Opens the container and takes ownership of `context`, which is freed if this throws.
    static func open(
        _ location: MediaLocation, _ bytes: FileBytes?, _ context: UnsafeMutablePointer<AVFormatContext>,
        _ interruption: Interruption, _ access: NetworkAccess?, decodes: Bool
    ) throws(StreamError) -> UnsafeMutablePointer<AVFormatContext> {
        silenceLog()
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // To examine streams, FFmpeg would open decoders here. There is no codec called none.
        if !decodes { av_dict_set(&options, "codec_whitelist", "none", 0) }
        let result: Int32
        switch location {
        case .file(let path):
            do throws(StreamError) {
                let kind = try probe(path, bytes, interruption, &options)
                // We supply the file's bytes. There is no protocol called none, so FFmpeg cannot open anything else.
                context.pointee.pb = bytes?.context
                context.pointee.io_open = { _, _, _, _, _ in vitrail_averror(EPERM) }
                av_dict_set(&options, "protocol_whitelist", "none", 0)
                result = avformat_open_input(&opened, neutralName(path), kind, &options)
            } catch {
                avformat_free_context(context)
                throw error
            }
        case .session:
            context.pointee.pb = bytes?.context
            context.pointee.io_open = { _, _, _, _, _ in vitrail_averror(EPERM) }
            av_dict_set(&options, "protocol_whitelist", sessionProtocols, 0)
            setLiveOptions("sdp", interruption, &options)
            arm(interruption)
            result = avformat_open_input(&opened, "input.sdp", av_find_input_format("sdp"), &options)
        case .network(let url):
            let (scheme, text) = location.url ?? ("", url)
            // After a redirection from RTSP to TLS, FFmpeg would not verify the server, so RTSP may not use TLS.
            let isSession = scheme == "rtsp"
            av_dict_set(&options, "protocol_whitelist", isSession ? sessionProtocols : networkProtocols, 0)
            // Most cameras are behind a router that blocks UDP.
            av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0)
            setLiveOptions(scheme, interruption, &options)
            access?.setOptions(&options)
            arm(interruption)
            guard access?.allows(scheme) != false else {
                avformat_free_context(context)
                throw access?.error(location) ?? error(location, vitrail_averror(EPERM))
            }
            result = avformat_open_input(&opened, text, nil, &options)
        }
        guard result >= 0, let opened else {
            throw access?.error(location) ?? interruption.error(location)
                ?? access?.error(location, result) ?? error(location, result)
        }
        return opened
    }

    /// Checks that a session description announces video, and goes back to its start.
    ///
    /// FFmpeg would wait for packets in vain. As a description that is still being written is empty at first, an empty
    /// one is refused elsewhere, and not for good.
    ///
    /// - Throws: ``StreamError/Code/unsupported``.
    static func checkVideo(in description: FileBytes, _ location: MediaLocation) throws(StreamError) {
        // As much as FFmpeg reads of it.
        var bytes = [UInt8](repeating: 0, count: 16384)
        let count = avio_read(description.context, &bytes, Int32(bytes.count))
        guard count > 0, avio_seek(description.context, 0, SEEK_SET) == 0 else { return }
        let lines = bytes[..<Int(count)].split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard !lines.contains(where: { $0.starts(with: "m=video ".utf8) }) else { return }
        throw StreamError(
            .unsupported, "\(location) announces no video: check that it is the session description (SDP) of a video.")
    }

    private static func arm(_ interruption: Interruption) {
        interruption.beginOpening()
        interruption.arm()
    }

    /// Sets the options that make a live stream start quickly and report a lost connection soon.
    ///
    /// The packets read to find the streams are kept (`fflags nobuffer` would discard them), because they may contain
    /// the only key frame for seconds. They are decoded faster than they arrived, so they add no latency.
    private static func setLiveOptions(
        _ scheme: String, _ interruption: Interruption, _ options: inout OpaquePointer?
    ) {
        guard MediaLocation.liveSchemes.contains(scheme) || scheme == "sdp" else { return }
        av_dict_set(&options, "analyzeduration", "1000000", 0)
        // How long to wait for packets that arrive out of order, in microseconds.
        av_dict_set(&options, "max_delay", "100000", 0)
        // RTSP needs its own time-out. Other protocols give this option another meaning: RTMP would listen as a server.
        if scheme == "rtsp" { av_dict_set_int(&options, "timeout", interruption.timeoutMicroseconds, 0) }
    }

    /// Determines the container of a file before anything that it refers to is opened.
    ///
    /// Still pictures are identified by their content: by the file name extension, FFmpeg would choose the demuxer
    /// image2, which treats the name as a pattern and opens files itself. A picture whose content does not identify it,
    /// such as TGA, is read as one packet for the codec that belongs to the extension.
    private static func probe(
        _ path: String, _ bytes: FileBytes?, _ interruption: Interruption, _ options: inout OpaquePointer?
    ) throws(StreamError) -> UnsafePointer<AVInputFormat> {
        let probed = try probe(path, neutralName(path), bytes, interruption)
        guard names(probed.kind).contains("image2") else { return probed.kind }
        do throws(StreamError) {
            let content = try probe(path, "input", bytes, interruption)
            // An uncertain guess at something other than a picture counts for less than the extension.
            if content.score > retryScore || names(content.kind)[0].hasSuffix("_pipe") { return content.kind }
        } catch {
            guard error.code == .malformed else { throw error }
        }
        let size = avio_size(bytes?.context)
        guard let whole = av_find_input_format("image2pipe"), size > 0, size <= Int32.max else {
            throw error(.file(path: path), vitrail_averror_invalid_data)
        }
        av_dict_set_int(&options, "frame_size", size, 0)
        return whole
    }

    /// The container that FFmpeg recognises in a file with this name, and its score, up to 100.
    private static func probe(
        _ path: String, _ name: String, _ bytes: FileBytes?, _ interruption: Interruption
    ) throws(StreamError) -> (kind: UnsafePointer<AVInputFormat>, score: Int32) {
        var kind: UnsafePointer<AVInputFormat>?
        guard !isPlaylist(bytes) else { throw listError(path, "hls") }
        let result = av_probe_input_buffer2(bytes?.context, &kind, name, nil, 0, 0)
        guard result >= 0, let kind else {
            throw interruption.error(.file(path: path)) ?? error(.file(path: path), result)
        }
        guard referring.isDisjoint(with: names(kind)) else {
            throw listError(path, names(kind)[0])
        }
        return (kind, result)
    }

    private static func listError(_ path: String, _ kind: String) -> StreamError {
        StreamError(
            .unsupported,
            "\(MediaLocation.file(path: path)) is a list of other files (\(kind)), which are not opened: open the media files themselves."
        )
    }

    /// Whether a file begins as a playlist does, which FFmpeg 7 recognises under its usual names only.
    private static func isPlaylist(_ bytes: FileBytes?) -> Bool {
        let signature = Array("#EXTM3U".utf8)
        var start = [UInt8](repeating: 0, count: signature.count)
        let count = avio_read(bytes?.context, &start, Int32(start.count))
        return avio_seek(bytes?.context, 0, SEEK_SET) == 0 && count == start.count && start == signature
    }

    /// The names of a container, at least one.
    private static func names(_ kind: UnsafePointer<AVInputFormat>) -> [String] {
        String(cString: kind.pointee.name).split(separator: ",").map(String.init)
    }

    /// A neutral name with the file's extension, which some raw formats need, and without pattern characters.
    private static func neutralName(_ path: String) -> String {
        guard let ending = pathExtension(path) else { return "input" }
        return "input." + ending.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Silences FFmpeg's log.
    ///
    /// The log level is global to the process, so it is changed only if nothing else has set it.
    static func silenceLog() {
        if av_log_get_level() == AV_LOG_INFO { av_log_set_level(AV_LOG_QUIET) }
    }
}

/// FFmpeg's message for an error code.
func ffmpegText(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        guard let start = text.baseAddress else { return "error \(code)" }
        av_strerror(code, start, text.count)
        return String(cString: start)
    }
}

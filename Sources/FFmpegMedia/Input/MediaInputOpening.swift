import CVitrailFFmpeg
import Glibc
import MediaIO

/// Opening an input, and restricting what it may access.
extension MediaInput {
    /// Containers whose whole content is a list of other files.
    ///
    /// They are rejected by name for the sake of a clear error; the restrictions below would stop them as well.
    private static let referring: Set = [
        "concat", "dash", "hls", "image2", "imf", "rtsp", "sap", "sdp", "vobsub", "webm_dash_manifest",
    ]

    /// The protocols that a network stream may use: never `file`, `pipe`, `unix`, `concat`, `subfile`, `data`, `cache`.
    private static let networkProtocols =
        "crypto,ffrtmphttp,http,httpproxy,https,rtmp,rtmps,rtmpt,rtmpts,rtp,srt,srtp,tcp,tls,udp"

    /// Opens the container and takes ownership of `context`, which is freed if this throws.
    static func open(
        _ location: MediaLocation, _ bytes: FileBytes?, _ context: UnsafeMutablePointer<AVFormatContext>,
        _ interruption: Interruption
    ) throws(StreamError) -> UnsafeMutablePointer<AVFormatContext> {
        silenceLog()
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let result: Int32
        switch location {
        case .file(let path):
            do throws(StreamError) {
                let kind = try probe(path, bytes, interruption)
                // A file's bytes come from us. There is no protocol called none, so every further open is rejected.
                context.pointee.pb = bytes?.context
                context.pointee.io_open = { _, _, _, _, _ in vitrail_averror(EPERM) }
                av_dict_set(&options, "protocol_whitelist", "none", 0)
                result = avformat_open_input(&opened, neutralName(path), kind, &options)
            } catch {
                avformat_free_context(context)
                throw error
            }
        case .network(let url):
            av_dict_set(&options, "protocol_whitelist", networkProtocols, 0)
            // Most cameras are behind a router that blocks UDP.
            av_dict_set(&options, "rtsp_flags", "prefer_tcp", 0)
            Self.setLiveOptions(url, interruption, &options)
            interruption.arm()
            result = avformat_open_input(&opened, url, nil, &options)
        }
        guard result >= 0, let opened else { throw interruption.error(location) ?? error(location, result) }
        return opened
    }

    /// Sets the options that make a live stream start quickly and report a lost connection soon.
    ///
    /// The packets read to find the streams are kept, unlike with `fflags nobuffer`: the only key frame of the next
    /// seconds may be among them. They are decoded faster than they arrived, so they add no latency.
    private static func setLiveOptions(
        _ url: String, _ interruption: Interruption, _ options: inout OpaquePointer?
    ) {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard MediaLocation.liveSchemes.contains(scheme) else { return }
        av_dict_set(&options, "analyzeduration", "1000000", 0)
        // How long to wait for packets out of order, in microseconds.
        av_dict_set(&options, "max_delay", "100000", 0)
        // RTSP has time-outs of its own. Elsewhere this option means something else: RTMP would listen.
        if scheme == "rtsp" { av_dict_set_int(&options, "timeout", interruption.timeoutMicroseconds, 0) }
    }

    /// Determines the container of a file before anything that it refers to is opened.
    private static func probe(
        _ path: String, _ bytes: FileBytes?, _ interruption: Interruption
    ) throws(StreamError) -> UnsafePointer<AVInputFormat>? {
        var kind: UnsafePointer<AVInputFormat>?
        let result = av_probe_input_buffer2(bytes?.context, &kind, neutralName(path), nil, 0, 0)
        guard result >= 0, let kind else {
            throw interruption.error(.file(path: path)) ?? error(.file(path: path), result)
        }
        let names = String(cString: kind.pointee.name).split(separator: ",").map(String.init)
        guard referring.isDisjoint(with: names) else {
            throw StreamError(
                .unsupported,
                "\(MediaLocation.file(path: path)) is a list of other files (\(names[0])), which are not opened: open the media files themselves."
            )
        }
        return kind
    }

    /// A neutral name with the file's extension, which some raw formats need, and without pattern characters.
    private static func neutralName(_ path: String) -> String {
        guard let ending = pathExtension(path) else { return "input" }
        return "input." + ending.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Silences FFmpeg's log.
    ///
    /// The log level is global to the process, so it is changed only if nothing else has set it.
    private static func silenceLog() {
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

import CVitrailFFmpeg
import Glibc
public import MediaIO

/// Where a stream is sent.
public enum MediaDestination: Hashable, Sendable, CustomStringConvertible {
    /// A URL of one of ``networkSchemes``.
    ///
    /// `rtsp://` is published to a media server, `rtmp://` and `rtmps://` too, as FLV; `srt://`, `udp://` and `tcp://`
    /// carry MPEG-TS. Options of the protocol follow a `?`, as FFmpeg has them: `srt://HOST:9000?latency=120000`.
    case network(url: String)
    /// RTP (RFC 3550) to a host or a multicast group, with the session description that its receivers need in a file.
    case session(url: String, path: String)
    /// HTTP Live Streaming (RFC 8216): a playlist in an existing folder, and its segments beside it.
    case playlist(path: String)

    /// The schemes that a URL may have, in lower case.
    public static let networkSchemes = ["rtmp", "rtmps", "rtsp", "srt", "tcp", "udp"]

    /// The path or the URL, without secrets.
    public var description: String {
        switch self {
        case .network(let text), .session(let text, _), .playlist(let text): MediaLocation.hidingSecrets(in: text)
        }
    }

    /// The codecs of ``VideoEncoding/codecs`` that receivers of it expect.
    public var codecs: [PacketCodec] {
        switch (self, scheme) {
        case (.session, _), (_, "rtsp"): [.h264, .hevc, .vp8, .vp9]
        case (_, "rtmp"), (_, "rtmps"): [.h264]
        default: [.h264, .hevc]
        }
    }

    private var scheme: String {
        switch self {
        case .network(let url), .session(let url, _): url.prefix { $0 != ":" }.lowercased()
        case .playlist: ""
        }
    }

    /// FFmpeg's name of what writes it.
    var muxerName: String {
        switch (self, scheme) {
        case (.playlist, _): "hls"
        case (.session, _): "rtp"
        case (_, "rtsp"): "rtsp"
        case (_, "rtmp"), (_, "rtmps"): "flv"
        default: "mpegts"
        }
    }

    /// Whether receivers get the codec's configuration once, and not with each key frame.
    var hasGlobalHeader: Bool {
        (av_guess_format(muxerName, nil, nil)?.pointee.flags ?? 0) & AVFMT_GLOBALHEADER != 0
    }

    /// Refuses codecs that are not among ``codecs``.
    ///
    /// - Throws: ``StreamError/Code/unsupported``.
    func check(_ codec: PacketCodec) throws(StreamError) {
        guard !codecs.contains(codec) else { return }
        throw StreamError(
            .unsupported,
            "\(self) cannot take \(codec): choose \(codecs.map(\.rawValue).joined(separator: ", ")).")
    }

    /// What FFmpeg opens, with its scheme in lower case.
    var url: String {
        switch self {
        case .network(let url), .session(let url, _): scheme + url.dropFirst(scheme.count)
        // An absolute path has no protocol, whatever it contains. Behind “file:”, FFmpeg does not find old segments again.
        case .playlist(let path): path.hasPrefix("/") ? path : Self.currentFolder + "/" + path
        }
    }

    private static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// FFmpeg's options.
    var options: [String: String] {
        switch (self, scheme) {
        case (.playlist, _):
            // Two seconds are those between key frames; players hold back three segments.
            ["hls_time": "2", "hls_list_size": "6", "hls_flags": "delete_segments+temp_file+independent_segments"]
        case (_, "rtsp"): ["rtsp_transport": "tcp"]
        case (_, "rtmp"): ["flvflags": "no_duration_filesize"]
        case (_, "rtmps"): ["flvflags": "no_duration_filesize", "tls_verify": "1"]
        // Seven packets of MPEG-TS fit into one of Ethernet.
        case (_, "udp"), (_, "srt"): ["pkt_size": "1316"]
        default: [:]
        }
    }

    /// The error for a connection that could not be made.
    func error(_ code: Int32, isLate: Bool) -> StreamError {
        let cause = isLate ? "no answer" : ffmpegText(code)
        if case .playlist = self { return writeError(.cannotOpen, code) }
        let text =
            switch code {
            case vitrail_averror_http_unauthorized:
                "does not accept the user name and password (\(cause)): write them before the host, as in \(scheme)://NAME:PASSWORD@HOST."
            case vitrail_averror_http_not_found, vitrail_averror_http_forbidden, vitrail_averror_http_other:
                "is refused by the server (\(cause)): check the path, and that streams may be published there."
            case vitrail_averror_no_protocol:
                "needs a protocol that this FFmpeg was built without."
            default:
                "cannot be reached (\(cause)): check the address, and that the server is running and takes streams."
            }
        return StreamError(
            code == vitrail_averror_no_protocol ? .unsupported : .cannotOpen, "\(self) \(text)", underlying: code)
    }

    /// The error for a connection that was lost.
    func lossError(_ code: Int32, isLate: Bool) -> StreamError {
        if case .playlist = self { return writeError(.writeFailed, code) }
        return StreamError(
            .writeFailed,
            "\(self) \(isLate ? "takes nothing any more" : "was lost (\(ffmpegText(code)))"): check the receiver and the network.",
            underlying: code)
    }

    private func writeError(_ kind: StreamError.Code, _ code: Int32) -> StreamError {
        StreamError(
            kind,
            "\(self) cannot be written (\(ffmpegText(code))): check the folder, its permissions and the space left.",
            underlying: code)
    }
}

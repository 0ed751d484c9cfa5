import CVitrailFFmpeg
import Glibc
import MediaIO
import VitrailSupport

/// The errors for inputs that cannot be opened: each names the cause and what to do.
extension MediaInput {
    /// The error for a location that could not be opened.
    static func error(_ location: MediaLocation, _ code: Int32) -> StreamError {
        let cause = ffmpegText(code)
        switch location {
        case .network(let url):
            return StreamError(.cannotOpen, "\(location) \(refusal(url, code, cause))", underlying: code)
        case .session where code != vitrail_averror_invalid_data && code != vitrail_averror(EINVAL):
            return StreamError(
                .cannotOpen,
                "\(location) cannot be received (\(cause)): check its addresses and ports, and that no other program receives there.",
                underlying: code)
        case .session:
            return StreamError(
                .unsupported,
                "\(location) is not a session description that FFmpeg can use (\(cause)): check that it announces video over RTP.",
                underlying: code)
        case .file:
            return StreamError(
                .malformed,
                "\(location) is not a media file that FFmpeg can read (\(cause)): check that it is complete, or run ffprobe on it.",
                underlying: code)
        }
    }

    private static func refusal(_ url: String, _ code: Int32, _ cause: String) -> String {
        switch code {
        case vitrail_averror_http_unauthorized where Secrets.hasUserInformation(url):
            "does not accept this user name and password (\(cause)): check both, and write %40 for an @ in them."
        case vitrail_averror_http_unauthorized:
            "asks for a user name and a password (\(cause)): write them before the host, as in \(url.prefix { $0 != ":" })://NAME:PASSWORD@HOST."
        case vitrail_averror_http_forbidden:
            "may not be opened (\(cause)): check that this user has the right, and that a token in the address is still valid."
        case vitrail_averror_http_not_found:
            "does not exist on the server (\(cause)): check the path after the host."
        case vitrail_averror_http_server_error:
            "cannot be opened, for the server is busy or has failed (\(cause)): end other connections to it, or look into its log."
        case vitrail_averror_http_other, vitrail_averror_http_too_many:
            "is refused by the server, which may be busy (\(cause)): end other connections to it, or check the address."
        case vitrail_averror(EINVAL):
            "cannot be opened (\(cause)): check the address. One that leads to what a network stream may not open, such as a file, is refused, too."
        case vitrail_averror_eof:
            "ends the connection without an answer (\(cause)): check the protocol before ://, and the port."
        case vitrail_averror_invalid_data:
            "sends nothing that FFmpeg can play (\(cause)): check the protocol before ://, and that this is the address of the video, not of a web page."
        case vitrail_averror(EIO) where url.hasPrefix("http"):
            "cannot be opened (\(cause)): check that the server is running, and that this is the address of the video, not of a web page."
        default:
            "cannot be opened (\(cause)): check the address, and that the server is running and sends video."
        }
    }
}

extension NetworkAccess {
    /// Checks that the file with the trusted certificates can be read.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen``.
    static func check(_ trust: TLSTrust) throws(StreamError) {
        guard case .authority(let path) = trust else { return }
        _ = try ReadableFile(path: path)
    }

    /// Checks that an address has a port if its protocol has no usual one.
    ///
    /// FFmpeg says only that something is invalid, or waits for packets that no port can receive.
    ///
    /// - Throws: ``StreamError/Code/unsupported``.
    static func checkPort(_ location: MediaLocation) throws(StreamError) {
        guard let (scheme, url) = location.url, ["rtp", "srt", "tcp", "tls", "udp"].contains(scheme),
            !(1...65535).contains(host(of: url).port)
        else { return }
        throw StreamError(
            .unsupported,
            "\(location) has no port from 1 to 65535, which it needs: write it after the host, \(scheme)://HOST:PORT.")
    }

    /// The host of a URL and its port, which is -1 if the URL has none.
    private static func host(of url: String) -> (name: String, port: Int32) {
        var (host, port) = ([CChar](repeating: 0, count: 1024), Int32(-1))
        av_url_split(nil, 0, nil, 0, &host, Int32(host.count), &port, nil, 0, url)
        return (host.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }, port)
    }

    /// The error for an input that was refused; `nil` if it was not.
    func error(_ location: MediaLocation) -> StreamError? {
        switch refusal {
        case .tooManyRequests:
            StreamError(
                .unsupported,
                "\(location) lists more than \(Self.maximumRequests) playlists and segments to begin with: give the address of one of its playlists."
            )
        case .unverifiableList:
            StreamError(
                .unsupported,
                "\(location) is DASH over TLS, whose servers FFmpeg cannot verify: play it as HLS, or add tls=insecure to its options if you trust the network."
            )
        case .unverifiableSession:
            StreamError(
                .unsupported,
                "\(location) is RTSP over TLS, whose server FFmpeg cannot verify, not even by a certificate of its own: add tls=insecure to its options if you trust the network."
            )
        case nil: nil
        }
    }

    /// Finds the cause of a failure that FFmpeg reports only as an I/O error; `nil` if it finds none.
    ///
    /// To do so it may connect to the server again, without sending a request.
    func error(_ location: MediaLocation, _ code: Int32) -> StreamError? {
        guard code == vitrail_averror(EIO), let (scheme, url) = location.url else { return nil }
        let (name, port) = Self.host(of: url)
        guard !name.isEmpty else { return nil }
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found { freeaddrinfo(found) } }
        let failure = getaddrinfo(name, nil, nil, &found)
        guard failure == 0 else {
            return StreamError(
                .cannotOpen,
                "\(location) cannot be opened, for the name \(name) is not found (\(String(cString: gai_strerror(failure)))): check its spelling and the network.",
                underlying: code)
        }
        let ports: [String: Int32] = ["https": 443, "rtmps": 443, "tls": port]
        guard let usual = ports[scheme] else { return nil }
        let address = "tls://\(name.contains(":") ? "[\(name)]" : name):\(port > 0 ? port : usual)"
        guard trust != .insecure, !connects(address, trust), connects(address, .insecure) else { return nil }
        return StreamError(
            .cannotOpen,
            "\(location) is not opened, for the certificate of \(name) cannot be verified: if the server signs its own, name its certificate with the option ca=FILE, or trust any server with tls=insecure.",
            underlying: code)
    }

    /// Whether a TLS connection succeeds; it is closed at once.
    private func connects(_ address: String, _ trust: TLSTrust) -> Bool {
        interruption.arm()
        var (options, io) = (OpaquePointer?.none, UnsafeMutablePointer<AVIOContext>?.none)
        defer { av_dict_free(&options) }
        Self.setTrust(trust, &options)
        var callback = interruption.callback
        guard avio_open2(&io, address, AVIO_FLAG_READ_WRITE, &callback, &options) >= 0 else { return false }
        avio_close(io)
        return true
    }
}

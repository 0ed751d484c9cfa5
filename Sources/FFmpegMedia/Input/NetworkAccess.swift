import CVitrailFFmpeg
import Glibc
import MediaIO

/// Controls what libavformat opens on the network for one input: which servers are trusted, and how many requests.
///
/// A demuxer of lists, such as HLS, loses the TLS options when it opens the entries. So everything that it opens goes
/// through this object, which sets them again.
///
/// **Thread:** the one that reads.
final class NetworkAccess {
    /// The most playlists and segments that opening an input may request.
    ///
    /// A large film has a dozen sizes, and as many languages for sound and for subtitles: far fewer than this.
    static let maximumRequests = 300

    let trust: TLSTrust
    let interruption: Interruption
    private let open: OpenFunction?
    private var requests = 0
    private var isOpening = true
    /// Why the input is refused, although FFmpeg could play it; `nil` if it is not.
    private(set) var refusal: Refusal?
    /// FFmpeg's error for the list entry that was requested last; `nil` if that entry could be opened.
    private(set) var lastFailure: Int32?

    /// Why an input is refused.
    enum Refusal {
        /// It requests more than ``maximumRequests``.
        case tooManyRequests
        /// It is a list whose entries FFmpeg would open without verifying the server.
        case unverifiableList
        /// It is RTSP over TLS, whose server FFmpeg does not verify.
        case unverifiableSession
    }

    typealias OpenFunction =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    /// Makes `context` open everything through this object, which must exist as long as the context.
    init(_ context: UnsafeMutablePointer<AVFormatContext>, _ trust: TLSTrust, _ interruption: Interruption) {
        (self.trust, self.interruption, open) = (trust, interruption, context.pointee.io_open)
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.io_open = { context, io, url, flags, options in
            guard let context, let opaque = context.pointee.opaque else { return vitrail_averror(EINVAL) }
            return Unmanaged<NetworkAccess>.fromOpaque(opaque).takeUnretainedValue()
                .open(context, io, url, flags, options)
        }
    }

    /// Sets the options for opening an input; protocols and demuxers ignore options that are not theirs.
    func setOptions(_ options: inout OpaquePointer?) {
        Self.setTrust(trust, &options)
        // A request on a connection that is kept open does not come through here, so it would not be counted.
        av_dict_set(&options, "http_persistent", "0", 0)
    }

    /// Whether a URL with this scheme may be opened, as far as that is known before opening it.
    func allows(_ scheme: String) -> Bool {
        if scheme == "rtsps", trust != .insecure { refusal = .unverifiableSession }
        return refusal == nil
    }

    /// Ends the limit of requests, and lets HLS keep its connections open from now on.
    func finishOpening(_ context: UnsafeMutablePointer<AVFormatContext>) {
        isOpening = false
        if let demuxer = context.pointee.priv_data, kindName(context) == "hls" {
            av_opt_set_int(demuxer, "http_persistent", 1, 0)
        }
    }

    /// Sets the options of TLS.
    static func setTrust(_ trust: TLSTrust, _ options: inout OpaquePointer?) {
        av_dict_set_int(&options, "tls_verify", trust == .insecure ? 0 : 1, 0)
        if case .authority(let path) = trust { av_dict_set(&options, "ca_file", path, 0) }
    }

    private func kindName(_ context: UnsafeMutablePointer<AVFormatContext>) -> String {
        context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
    }

    private func open(
        _ context: UnsafeMutablePointer<AVFormatContext>,
        _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ url: UnsafePointer<CChar>?, _ flags: Int32,
        _ options: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        requests += 1
        if isOpening, requests > Self.maximumRequests { return refuse(.tooManyRequests) }
        var own: OpaquePointer?
        defer { av_dict_free(&own) }
        if let options { av_dict_copy(&own, options.pointee, 0) }
        Self.setTrust(trust, &own)
        let result = open?(context, io, url, flags, &own) ?? vitrail_averror(ENOSYS)
        if requests == 1 {
            if result >= 0, let io, let opened = io.pointee, isUnverifiable(opened, url, context) {
                avio_closep(io)
                return refuse(.unverifiableList)
            }
        } else {
            lastFailure = result < 0 ? result : nil
        }
        return result
    }

    private func refuse(_ refusal: Refusal) -> Int32 {
        self.refusal = refusal
        interruption.end()
        return vitrail_averror(EPERM)
    }

    /// Whether the input is DASH over TLS: its demuxer opens segments without this object, so servers are not verified.
    ///
    /// DASH over plain HTTP is accepted, but its segments may not use TLS.
    private func isUnverifiable(
        _ io: UnsafeMutablePointer<AVIOContext>, _ url: UnsafePointer<CChar>?,
        _ context: UnsafeMutablePointer<AVFormatContext>
    ) -> Bool {
        guard trust != .insecure, let url else { return false }
        var kind: UnsafePointer<AVInputFormat>?
        // The bytes that probing reads stay in the buffer, so the demuxer gets them again.
        guard av_probe_input_buffer2(io, &kind, url, context, 0, 0) >= 0, let kind,
            String(cString: kind.pointee.name) == "dash"
        else { return false }
        if String(cString: url).lowercased().hasPrefix("https:") { return true }
        av_freep(&context.pointee.protocol_whitelist)
        context.pointee.protocol_whitelist = av_strdup("http,httpproxy,tcp")
        return false
    }
}

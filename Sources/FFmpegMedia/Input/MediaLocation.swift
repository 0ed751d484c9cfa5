import MediaIO

/// The location of a media stream.
///
/// Each kind has its own permissions: a file can access nothing but itself, a network stream only the network and
/// never a file.
public enum MediaLocation: Hashable, Sendable, CustomStringConvertible {
    /// A file or a named pipe. The path is used literally, whatever characters it has.
    case file(path: String)
    /// A URL of one of ``networkSchemes``.
    case network(url: String)
    /// A session description (SDP) in a file: the RTP packets that it announces are received from the network.
    case session(path: String)

    /// The schemes that a URL may have, in lower case; a URL may have them in any case.
    public static let networkSchemes = [
        "http", "https", "rtmp", "rtmps", "rtp", "rtsp", "rtsps", "srt", "tcp", "tls", "udp",
    ]

    /// The ``networkSchemes`` of streams that are usually live.
    static let liveSchemes: Set = ["rtmp", "rtmps", "rtp", "rtsp", "rtsps", "srt", "tcp", "tls", "udp"]

    /// Whether the stream is received from the network.
    var isNetwork: Bool { if case .file = self { false } else { true } }

    /// The URL to open, with its scheme in lower case, as FFmpeg expects it; `nil` if the location is not a URL.
    var url: (scheme: String, text: String)? {
        guard case .network(let url) = self else { return nil }
        let scheme = url.prefix { $0 != ":" }
        return (scheme.lowercased(), scheme.lowercased() + url.dropFirst(scheme.count))
    }

    /// Parses text: a URL if it begins with one of ``networkSchemes`` and `://`, a session description if it ends in
    /// `.sdp`, otherwise the path of a file.
    public init(_ text: String) {
        let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let isNetwork =
            Self.networkSchemes.contains(scheme.lowercased()) && text.dropFirst(scheme.count).hasPrefix("://")
        self =
            if isNetwork {
                .network(url: text)
            } else if pathExtension(text) == "sdp" {
                .session(path: text)
            } else {
                .file(path: text)
            }
    }

    /// The path or the URL, without secrets: see ``hidingSecrets(in:)``.
    public var description: String {
        switch self {
        case .file(let text), .network(let text), .session(let text): Self.hidingSecrets(in: text)
        }
    }
}

/// Where a media stream is read from.
///
/// The two kinds are kept apart because they may reach different things: a file reaches nothing but itself, a network
/// stream reaches the network and never a file.
public enum MediaLocation: Hashable, Sendable, CustomStringConvertible {
    /// A file or a named pipe. The path is taken as it is, whatever is in it.
    case file(path: String)
    /// A URL of one of ``networkSchemes``.
    case network(url: String)

    /// The schemes that a URL may have.
    public static let networkSchemes = ["http", "https", "rtmp", "rtmps", "rtp", "rtsp", "srt", "tcp", "udp"]

    /// Those of ``networkSchemes`` that lead to something live more often than to a file.
    static let liveSchemes: Set = ["rtmp", "rtmps", "rtp", "rtsp", "srt", "tcp", "udp"]

    /// Whether it is a URL.
    var isNetwork: Bool { if case .network = self { true } else { false } }

    /// Takes text that begins with one of ``networkSchemes`` and `://` for a URL, anything else for a path.
    public init(_ text: String) {
        let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let isNetwork =
            Self.networkSchemes.contains(scheme.lowercased()) && text.dropFirst(scheme.count).hasPrefix("://")
        self = isNetwork ? .network(url: text) : .file(path: text)
    }

    /// The path or the URL, without secrets: see ``hidingSecrets(in:)``.
    public var description: String {
        switch self {
        case .file(let text), .network(let text): Self.hidingSecrets(in: text)
        }
    }
}

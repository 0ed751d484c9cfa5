/// The location of a media stream.
///
/// The two kinds have different permissions: a file can access nothing but itself, a network stream only the network
/// and never a file.
public enum MediaLocation: Hashable, Sendable, CustomStringConvertible {
    /// A file or a named pipe. The path is used literally, whatever characters it has.
    case file(path: String)
    /// A URL of one of ``networkSchemes``.
    case network(url: String)

    /// The schemes that a URL may have.
    public static let networkSchemes = ["http", "https", "rtmp", "rtmps", "rtp", "rtsp", "srt", "tcp", "udp"]

    /// Those of ``networkSchemes`` that are usually live.
    static let liveSchemes: Set = ["rtmp", "rtmps", "rtp", "rtsp", "srt", "tcp", "udp"]

    /// Whether it is a URL.
    var isNetwork: Bool { if case .network = self { true } else { false } }

    /// Parses text: a URL if it begins with one of ``networkSchemes`` and `://`, otherwise a path.
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

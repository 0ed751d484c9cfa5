/// The identity of a stream of a ``VideoEngine``.
///
/// A string literal is the ID of a remote stream: `engine.stopPlayingStream("door")`. For other strings, write
/// `.remote(name)`.
public enum StreamID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// A local stream.
    case local(PublishChannel)
    /// A remote stream, with its ID.
    case remote(String)

    /// The remote stream with this ID.
    public init(stringLiteral id: String) { self = .remote(id) }

    /// Its name, for people.
    public var description: String {
        switch self {
        case .local(let channel): "the channel \(channel.rawValue)"
        case .remote(let id): "the stream \(id)"
        }
    }

    /// Its name at the start of a sentence.
    var sentence: String { description.prefix(1).uppercased() + description.dropFirst() }

    var isLocal: Bool {
        switch self {
        case .local: true
        case .remote: false
        }
    }
}

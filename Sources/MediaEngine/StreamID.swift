/// The identity of a stream of a ``MediaEngine``.
public enum StreamID: Hashable, Sendable, CustomStringConvertible {
    /// A local stream.
    case local(PublishChannel)
    /// A remote stream, with its ID.
    case remote(String)

    /// Its name, for people.
    public var description: String {
        switch self {
        case .local(let channel): "the channel \(channel.rawValue)"
        case .remote(let id): "the stream \(id)"
        }
    }
}

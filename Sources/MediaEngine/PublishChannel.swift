/// One of the local streams of a ``VideoEngine``.
public enum PublishChannel: String, CaseIterable, Hashable, Sendable {
    /// The usual one.
    case main
    /// A second one, such as a shared screen.
    case aux
    /// A third one.
    case third
    /// A fourth one.
    case fourth
}

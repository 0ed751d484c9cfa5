/// Who sees a local stream mirrored.
public enum MirrorMode: String, CaseIterable, Hashable, Sendable {
    /// Nobody.
    case off
    /// The preview, as in a mirror, but nobody else.
    case previewOnly
    /// The preview and whoever the stream is published to.
    case all
}

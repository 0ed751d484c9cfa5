/// What matters in the pictures of a source.
public enum VideoContentHint: String, CaseIterable, Hashable, Sendable {
    /// Not stated.
    case unspecified
    /// Smooth motion, as of a camera.
    case motion
    /// Sharp details, as of a shared screen with text.
    case details
}

/// Where the pictures of a source come from.
public enum VideoCaptureType: String, CaseIterable, Hashable, Sendable {
    /// Not stated.
    case unknown
    /// A camera.
    case camera
    /// A screen or a window.
    case screen
    /// Stored media.
    case file
}

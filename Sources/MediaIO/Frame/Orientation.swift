/// A turn followed by a mirror: every way in which a rectangle can lie.
public struct Orientation: Hashable, Sendable {
    /// The turn, applied first.
    public var rotation: VideoRotation
    /// The mirror, applied to the turned picture.
    public var mirror: VideoMirror

    /// As it is in memory.
    public static let upright = Orientation()

    /// Creates an orientation.
    public init(rotation: VideoRotation = .upright, mirror: VideoMirror = .unmirrored) {
        self.rotation = rotation
        self.mirror = mirror
    }

    /// What comes of this orientation when another is applied to the result.
    public func followed(by next: Orientation) -> Orientation {
        // A turn after a mirror along one axis is the opposite turn before it.
        let flips = mirror == .horizontal || mirror == .vertical
        let turn = flips ? next.rotation.reversed : next.rotation
        return Orientation(rotation: rotation + turn, mirror: mirror.combined(with: next.mirror))
    }
}

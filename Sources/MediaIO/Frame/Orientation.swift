/// A rotation followed by a mirror, which covers every orientation of a rectangle.
public struct Orientation: Hashable, Sendable {
    /// The rotation, applied first.
    public var rotation: VideoRotation
    /// The mirror, applied after the rotation.
    public var mirror: VideoMirror

    /// The orientation in memory.
    public static let upright = Orientation()

    /// Creates an orientation.
    public init(rotation: VideoRotation = .upright, mirror: VideoMirror = .unmirrored) {
        self.rotation = rotation
        self.mirror = mirror
    }

    /// The orientation that applies this one, then another.
    public func followed(by next: Orientation) -> Orientation {
        // A rotation after a mirror along one axis equals the opposite rotation before it.
        let flips = mirror == .horizontal || mirror == .vertical
        let turn = flips ? next.rotation.reversed : next.rotation
        return Orientation(rotation: rotation + turn, mirror: mirror.combined(with: next.mirror))
    }
}

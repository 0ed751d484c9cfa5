import MediaIO

/// A turn followed by a mirror: every way in which a rectangle can lie.
struct Orientation: Equatable {
    var rotation: VideoRotation
    var mirror: VideoMirror

    /// What comes of this orientation when another is applied to the result.
    func followed(by next: Orientation) -> Orientation {
        // A turn after a mirror along one axis is the opposite turn before it.
        let flips = mirror == .horizontal || mirror == .vertical
        let turn = flips ? next.rotation.reversed : next.rotation
        return Orientation(rotation: rotation + turn, mirror: mirror.combined(with: next.mirror))
    }
}

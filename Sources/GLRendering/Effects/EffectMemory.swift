import MediaIO
import VideoWall

/// The memory of the pictures that effects are drawn into.
extension EffectSteps {
    /// The bytes of the passes, the result, the previous result and the pictures of other tiles, for a picture of a
    /// size.
    func pictureBytes(_ size: VideoSize) -> Int {
        let picture = PassTarget.byteCount(size, isFull: false)
        guard let own else { return picture }
        var sum = own.effect.traits.usesPrevious ? 2 * picture : picture
        for pass in own.effect.passes { sum += PassTarget.byteCount(pass.size(size), isFull: pass.points != nil) }
        return sum + picture * own.effect.parameters.count { $0.kind == .tile }
    }
}

extension EffectPass {
    /// The size of the pass's texture, for a picture of a size.
    func size(_ picture: VideoSize) -> VideoSize {
        switch size {
        case .fixed(let width, let height): VideoSize(width: width, height: height)
        case .scale(let scale):
            VideoSize(
                width: max(1, Int((Double(picture.width) * scale).rounded())),
                height: max(1, Int((Double(picture.height) * scale).rounded())))
        }
    }
}

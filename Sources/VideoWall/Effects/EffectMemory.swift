package import MediaIO

/// The memory of the pictures that effects are drawn into.
extension EffectSteps {
    /// The bytes of a picture between passes: its components have 16 bits, or 32 for sums.
    package static func byteCount(_ size: VideoSize, isFull: Bool) -> Int {
        size.width * size.height * (isFull ? 16 : 8)
    }

    /// The bytes of the passes, the result, the previous result and the pictures of other tiles, for a picture of a
    /// size.
    func pictureBytes(_ size: VideoSize) -> Int {
        let picture = Self.byteCount(size, isFull: false)
        guard let own else { return picture }
        var sum = own.effect.traits.usesPrevious ? 2 * picture : picture
        for pass in own.effect.passes { sum += Self.byteCount(pass.size(size), isFull: pass.points != nil) }
        return sum + picture * own.effect.parameters.count { $0.kind == .tile }
    }
}

extension EffectPass {
    /// The size of the pass's texture, for a picture of a size.
    package func size(_ picture: VideoSize) -> VideoSize {
        switch size {
        case .fixed(let width, let height): VideoSize(width: width, height: height)
        case .scale(let scale):
            VideoSize(
                width: max(1, Int((Double(picture.width) * scale).rounded())),
                height: max(1, Int((Double(picture.height) * scale).rounded())))
        }
    }
}

import MediaIO

/// How frames fill a picture of another aspect ratio: only their attributes are changed.
struct FrameShape {
    /// The aspect ratio of the picture as it is shown, or `nil` for that of the frames.
    var aspectRatio: Rational?
    var mode = ContentMode.fit

    /// Crops or distorts a frame.
    ///
    /// With ``ContentMode/fit``, the frame remains unchanged: bars are added where it is shown.
    func apply(to frame: inout VideoFrame) {
        guard let aspectRatio, mode != .fit else { return }
        let part = frame.visibleRectangle
        let isTurned = frame.attributes.rotation.isQuarterTurn
        // The aspect ratio of the picture, in the directions of the frame in memory.
        let wanted = isTurned ? 1 / aspectRatio.value : aspectRatio.value
        if mode == .stretch {
            let ratio = wanted * Double(part.height) / Double(part.width)
            frame.attributes.pixelAspectRatio = Rational(closeTo: ratio)
            return
        }
        let pixel = frame.attributes.pixelAspectRatio.value
        let shown = Double(part.width) * pixel / Double(part.height)
        var (width, height) = (part.width, part.height)
        if shown > wanted {
            width = max(1, Int((Double(part.height) * wanted / pixel).rounded()))
        } else {
            height = max(1, Int((Double(part.width) * pixel / wanted).rounded()))
        }
        frame.attributes.crop = Rectangle(
            x: part.x + (part.width - width) / 2, y: part.y + (part.height - height) / 2, width: width, height: height)
    }
}

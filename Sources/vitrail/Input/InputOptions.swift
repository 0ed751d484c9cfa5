import MediaIO
import VideoWall

/// What the options of one input say; `nil` where they say nothing.
struct InputOptions: Hashable, Sendable {
    var format: PixelFormat?
    var size: VideoSize?
    var frameRate: Rational?
    var bytesPerRow: Int?
    var matrix: ColorSpace.Matrix?
    var range: ColorSpace.Range?
    var primaries: ColorSpace.Primaries?
    var transfer: ColorSpace.Transfer?
    var chroma: ChromaLocation?
    var crop: Rectangle?
    var pixelAspectRatio: Rational?
    var rotation: VideoRotation?
    var mirror: VideoMirror?
    var contentMode: ContentMode?
    var filter: ScalingFilter?
    var label: String?
    var loops: Bool?
}

extension InputOptions {
    /// The stream's colours with the parts that the options name in the place of its own.
    func colorSpace(insteadOf space: ColorSpace) -> ColorSpace {
        ColorSpace(
            matrix: matrix ?? space.matrix, range: range ?? space.range, primaries: primaries ?? space.primaries,
            transfer: transfer ?? space.transfer)
    }

    /// What a picture says of itself, with what the options say in the place of it.
    ///
    /// - Parameters:
    ///   - attributes: the picture's own.
    ///   - space: the picture's colours, said or assumed.
    /// - Returns: the picture's own attributes where the options say nothing.
    func adjusted(_ attributes: FrameAttributes, _ space: ColorSpace) -> FrameAttributes {
        var result = attributes
        result.colorSpace = colorSpace(insteadOf: space)
        if let chroma { result.chromaLocation = chroma }
        if let rotation { result.rotation = rotation }
        if let mirror { result.mirror = mirror }
        if let pixelAspectRatio { result.pixelAspectRatio = pixelAspectRatio }
        if let crop { result.crop = crop }
        return result
    }

    /// The colours where nothing but the options says anything: what they leave open follows from what they say.
    func colorSpace(of format: PixelFormat, _ size: VideoSize) -> ColorSpace {
        // What is typed counts, also where the rule for tags would not believe it.
        colorSpace(insteadOf: tags.colorSpace(of: format, size: size))
    }

    /// The same options with colours that are complete, for planes that say nothing of themselves.
    func completed(_ format: PixelFormat, _ size: VideoSize) -> InputOptions {
        let space = colorSpace(of: format, size)
        var options = self
        (options.matrix, options.range) = (space.matrix, space.range)
        (options.primaries, options.transfer) = (space.primaries, space.transfer)
        options.chroma = tags.chromaLocation(of: format)
        return options
    }

    private var tags: ColorTags {
        ColorTags(matrix: matrix, range: range, primaries: primaries, transfer: transfer, chromaLocation: chroma)
    }
}

extension Rectangle {
    /// Whether all of it lies in a picture of that size.
    func lies(in size: VideoSize) -> Bool {
        intersection(Rectangle(x: 0, y: 0, width: size.width, height: size.height)) == self
    }

    /// As it is typed: `WIDTHxHEIGHT+X+Y`.
    var cropDescription: String { "\(width)x\(height)+\(x)+\(y)" }
}

import MediaIO
import VideoWall

/// The options of one input; `nil` for those not set.
struct InputOptions: Hashable, Sendable {
    var format: PixelFormat?
    /// What the name of the format says of its colours; other options take precedence.
    var formatTags = ColorTags()
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
    /// The stream's colours, with the parts that the options set replaced.
    func colorSpace(insteadOf space: ColorSpace) -> ColorSpace {
        ColorSpace(
            matrix: tags.matrix ?? space.matrix, range: tags.range ?? space.range,
            primaries: tags.primaries ?? space.primaries, transfer: tags.transfer ?? space.transfer)
    }

    /// A frame's attributes, with those that the options set replaced.
    ///
    /// - Parameters:
    ///   - attributes: the frame's own.
    ///   - space: the frame's colours, tagged or assumed.
    /// - Returns: the frame's own attributes where no option is set.
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

    /// The colours of an untagged stream: parts that the options do not set follow from those that they set.
    func colorSpace(of format: PixelFormat, _ size: VideoSize) -> ColorSpace {
        // An option takes precedence, even where the rule for tags would ignore it.
        colorSpace(insteadOf: tags.colorSpace(of: format, size: size))
    }

    /// The same options with complete colours, for untagged planes.
    func completed(_ format: PixelFormat, _ size: VideoSize) -> InputOptions {
        let space = colorSpace(of: format, size)
        var options = self
        (options.matrix, options.range) = (space.matrix, space.range)
        (options.primaries, options.transfer) = (space.primaries, space.transfer)
        options.chroma = tags.chromaLocation(of: format)
        return options
    }

    private var tags: ColorTags {
        ColorTags(
            matrix: matrix ?? formatTags.matrix, range: range ?? formatTags.range,
            primaries: primaries ?? formatTags.primaries, transfer: transfer ?? formatTags.transfer,
            chromaLocation: chroma ?? formatTags.chromaLocation)
    }
}

extension Rectangle {
    /// Whether all of it lies within a frame of that size.
    func lies(in size: VideoSize) -> Bool {
        intersection(Rectangle(x: 0, y: 0, width: size.width, height: size.height)) == self
    }

    /// The syntax of the option: `WIDTHxHEIGHT+X+Y`.
    var cropDescription: String { "\(width)x\(height)+\(x)+\(y)" }
}

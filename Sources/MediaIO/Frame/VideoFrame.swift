/// One picture of a stream: a reference to its pixels, what they mean, and when they are shown.
///
/// **Thread:** any. **Cost:** copying one is a retain.
public struct VideoFrame: Sendable {
    /// Where the pixels are.
    public var image: FrameImage
    /// What the pixels mean and how they are shown.
    public var attributes: FrameAttributes
    /// When to show the picture, from the start of the stream; `nil` where it follows from the frame rate.
    ///
    /// ``FrameTimes`` has the rule.
    public var presentationTime: Duration?

    /// Creates a frame; all but the pixels has a usable default.
    public init(
        _ image: FrameImage, attributes: FrameAttributes = FrameAttributes(), presentationTime: Duration? = nil
    ) {
        self.image = image
        self.attributes = attributes
        self.presentationTime = presentationTime
    }

    /// Creates a frame of planes in memory; all but the pixels has a usable default.
    public init(
        _ pixelBuffer: PixelBuffer, attributes: FrameAttributes = FrameAttributes(),
        presentationTime: Duration? = nil
    ) {
        self.init(.planes(pixelBuffer), attributes: attributes, presentationTime: presentationTime)
    }

    /// The pixels as planes that the CPU reads, wherever they are: ``FrameImage/mapped()``.
    ///
    /// **Cost:** nothing for planes in memory, which never throw.
    /// - Throws: ``StreamError`` where the image cannot be read by the CPU, with what to do instead.
    public var pixelBuffer: PixelBuffer {
        get throws(StreamError) { try image.mapped() }
    }

    /// What the samples mean: what the attributes say, or what is assumed of a picture of this format and size.
    ///
    /// Setting it sets ``FrameAttributes/colorSpace``.
    public var colorSpace: ColorSpace {
        get { attributes.colorSpace(of: image.format ?? .i420, size: image.size) }
        set { attributes.colorSpace = newValue }
    }

    /// The part of the picture that is shown: what of ``FrameAttributes/crop`` lies in it, or all where nothing does.
    public var visibleRectangle: Rectangle { attributes.visibleRectangle(in: image.size) }
}

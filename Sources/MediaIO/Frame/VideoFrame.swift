/// One frame of a stream: a reference to its pixels, their attributes, and the presentation time.
///
/// **Thread:** any. **Cost:** a copy is a retain.
public struct VideoFrame: Sendable {
    /// The pixels.
    public var image: FrameImage
    /// The meaning of the pixels and how they are shown.
    public var attributes: FrameAttributes
    /// When to show the frame, from the start of the stream; `nil` if it follows from the frame rate.
    ///
    /// ``FrameTimes`` has the rule.
    public var presentationTime: Duration?
    /// When it was captured and received, and what decoding took, as far as its source says it.
    public var timing = FrameTiming()

    /// Creates a frame; everything but the pixels has a usable default.
    public init(
        _ image: FrameImage, attributes: FrameAttributes = FrameAttributes(), presentationTime: Duration? = nil
    ) {
        self.image = image
        self.attributes = attributes
        self.presentationTime = presentationTime
    }

    /// Creates a frame of planes in memory; everything but the pixels has a usable default.
    public init(
        _ pixelBuffer: PixelBuffer, attributes: FrameAttributes = FrameAttributes(),
        presentationTime: Duration? = nil
    ) {
        self.init(.planes(pixelBuffer), attributes: attributes, presentationTime: presentationTime)
    }

    /// The pixels as planes that the CPU can read, from any kind of memory: ``FrameImage/mapped()``.
    ///
    /// **Cost:** nothing for planes in memory, which never throw.
    /// - Throws: ``StreamError`` if the CPU cannot read the image, with what to do instead.
    public var pixelBuffer: PixelBuffer {
        get throws(StreamError) { try image.mapped() }
    }

    /// The colour space: the tags in the attributes, completed by the rule of ``ColorTags``.
    ///
    /// **Cost:** allocates nothing.
    public var colorSpace: ColorSpace {
        attributes.colorTags.colorSpace(of: image.format ?? .i420, size: image.size)
    }

    /// The chroma location: the tag in the attributes, or else by the rule of ``ColorTags``.
    ///
    /// **Cost:** allocates nothing.
    public var chromaLocation: ChromaLocation { attributes.colorTags.chromaLocation(of: image.format ?? .i420) }

    /// The visible part: the part of ``FrameAttributes/crop`` inside the frame, or the whole frame if there is none.
    public var visibleRectangle: Rectangle { attributes.visibleRectangle(in: image.size) }
}

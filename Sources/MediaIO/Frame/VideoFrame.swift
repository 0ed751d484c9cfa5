/// One picture of a stream: a reference to its pixels, what they mean, and when they are shown.
///
/// **Thread:** any. **Cost:** copying one is a retain.
public struct VideoFrame: Sendable {
    /// The pixels.
    public var pixelBuffer: PixelBuffer
    /// What the pixels mean and how they are shown.
    public var attributes: FrameAttributes
    /// When to show the picture, from the start of the stream.
    public var presentationTime: Duration

    /// Creates a frame; all but the pixels has a usable default.
    public init(
        _ pixelBuffer: PixelBuffer, attributes: FrameAttributes = FrameAttributes(),
        presentationTime: Duration = .zero
    ) {
        self.pixelBuffer = pixelBuffer
        self.attributes = attributes
        self.presentationTime = presentationTime
    }

    /// What the samples mean: what the attributes say, or what is assumed of a picture of this format and size.
    ///
    /// Setting it sets ``FrameAttributes/colorSpace``.
    public var colorSpace: ColorSpace {
        get { attributes.colorSpace(of: pixelBuffer.format, size: pixelBuffer.size) }
        set { attributes.colorSpace = newValue }
    }

    /// The part of the picture that is shown: what of ``FrameAttributes/crop`` lies in it, or all where nothing does.
    public var visibleRectangle: Rectangle { attributes.visibleRectangle(in: pixelBuffer.size) }
}

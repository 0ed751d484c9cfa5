/// One picture of a stream: what it means, and a reference to its pixels.
///
/// **Thread:** any. **Cost:** copying one is a retain.
public struct VideoFrame: Sendable {
    /// The pixels.
    public var pixelBuffer: PixelBuffer
    /// When to show the picture, from the start of the stream.
    public var presentationTime: Duration
    /// What the samples mean.
    public var colorSpace: ColorSpace
    /// Where the chroma samples lie between the luma samples.
    public var chromaLocation: ChromaLocation
    /// By how much the sink turns the picture.
    public var rotation: VideoRotation
    /// How the sink mirrors the turned picture.
    public var mirror: VideoMirror
    /// The width of a pixel in memory divided by its height.
    public var pixelAspectRatio: Rational
    /// The part of the picture that is shown, in pixels as they lie in memory; `nil` for all.
    public var crop: Rectangle?
    /// What is known of the picture's brightness, where its transfer is PQ or HLG.
    public var hdrMetadata: HDRMetadata?

    /// Creates a frame; all but the pixels has a usable default.
    public init(
        _ pixelBuffer: PixelBuffer, presentationTime: Duration = .zero, colorSpace: ColorSpace? = nil,
        chromaLocation: ChromaLocation = .left, rotation: VideoRotation = .none, mirror: VideoMirror = .none,
        pixelAspectRatio: Rational = .one, crop: Rectangle? = nil, hdrMetadata: HDRMetadata? = nil
    ) {
        self.pixelBuffer = pixelBuffer
        self.presentationTime = presentationTime
        self.colorSpace = colorSpace ?? .unspecified(for: pixelBuffer.size, format: pixelBuffer.format)
        self.chromaLocation = chromaLocation
        self.rotation = rotation
        self.mirror = mirror
        self.pixelAspectRatio = pixelAspectRatio
        self.crop = crop
        self.hdrMetadata = hdrMetadata
    }

    /// The part of the picture that is shown: what of ``crop`` lies in the picture, or all where nothing does.
    public var visibleRectangle: Rectangle {
        let size = pixelBuffer.size
        let all = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        guard let part = crop?.intersection(all), part.width > 0, part.height > 0 else { return all }
        return part
    }
}

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

    /// Creates a frame; all but the pixels has a usable default.
    public init(
        _ pixelBuffer: PixelBuffer, presentationTime: Duration = .zero, colorSpace: ColorSpace? = nil,
        chromaLocation: ChromaLocation = .left, rotation: VideoRotation = .none, mirror: VideoMirror = .none,
        pixelAspectRatio: Rational = .one
    ) {
        self.pixelBuffer = pixelBuffer
        self.presentationTime = presentationTime
        self.colorSpace = colorSpace ?? .unspecified(for: pixelBuffer.size)
        self.chromaLocation = chromaLocation
        self.rotation = rotation
        self.mirror = mirror
        self.pixelAspectRatio = pixelAspectRatio
    }
}

/// What the samples of a picture mean and how it is shown: all that a frame says beside its pixels and its time.
///
/// It is one value, handed on whole from the source to the renderer: what is added here later arrives without anybody in
/// between having to copy it.
///
/// **Thread:** any. **Cost:** copying it allocates nothing.
public struct FrameAttributes: Hashable, Sendable {
    /// What the samples mean, or `nil` where nothing says so.
    ///
    /// Then it follows from the picture's format and size: ``VideoFrame/colorSpace`` and ``colorSpace(of:size:)`` have
    /// the answer for both cases.
    public var colorSpace: ColorSpace?
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

    /// Creates attributes; each has a usable default.
    public init(
        colorSpace: ColorSpace? = nil, chromaLocation: ChromaLocation = .left, rotation: VideoRotation = .upright,
        mirror: VideoMirror = .unmirrored, pixelAspectRatio: Rational = .one, crop: Rectangle? = nil,
        hdrMetadata: HDRMetadata? = nil
    ) {
        self.colorSpace = colorSpace
        self.chromaLocation = chromaLocation
        self.rotation = rotation
        self.mirror = mirror
        self.pixelAspectRatio = pixelAspectRatio
        self.crop = crop
        self.hdrMetadata = hdrMetadata
    }

    /// What the samples of a picture mean: ``colorSpace``, or what is assumed where it is `nil`.
    ///
    /// - Parameters:
    ///   - format: of the picture.
    ///   - size: of the picture, in pixels.
    /// - Returns: a complete colour space.
    public func colorSpace(of format: PixelFormat, size: VideoSize) -> ColorSpace {
        colorSpace ?? .unspecified(for: size, format: format)
    }

    /// The part of a picture that is shown: what of ``crop`` lies in it, or all of it where nothing does.
    ///
    /// - Parameter size: of the picture in memory, in pixels.
    /// - Returns: a rectangle of at least one pixel, in pixels as they lie in memory.
    public func visibleRectangle(in size: VideoSize) -> Rectangle {
        let all = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        guard let part = crop?.intersection(all), part.width > 0, part.height > 0 else { return all }
        return part
    }
}

/// The meaning of a frame's samples and how it is shown: everything but its pixels and its time.
///
/// It is one value, passed on whole from the source to the renderer, so that attributes added later arrive without
/// changes in between.
///
/// **Thread:** any. **Cost:** copying it allocates nothing.
public struct FrameAttributes: Hashable, Sendable {
    /// The colour space of the samples, or `nil` if it is unspecified.
    ///
    /// It then follows from the frame's format and size: ``VideoFrame/colorSpace`` and ``colorSpace(of:size:)`` cover
    /// both cases.
    public var colorSpace: ColorSpace?
    /// Where the chroma samples lie between the luma samples.
    public var chromaLocation: ChromaLocation
    /// The rotation that the sink applies to the frame.
    public var rotation: VideoRotation
    /// The mirroring that the sink applies to the rotated frame.
    public var mirror: VideoMirror
    /// The pixel aspect ratio: the width of a pixel in memory divided by its height.
    public var pixelAspectRatio: Rational
    /// The part of the frame that is shown, in pixels in memory, before rotation; `nil` for all.
    public var crop: Rectangle?
    /// The brightness metadata, if the transfer is PQ or HLG.
    public var hdrMetadata: HDRMetadata?

    /// Creates attributes, each with a usable default.
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

    /// Returns ``colorSpace``, or the one to assume if it is `nil`.
    ///
    /// - Parameters:
    ///   - format: the format of the frame.
    ///   - size: the size of the frame, in pixels.
    /// - Returns: a complete colour space.
    public func colorSpace(of format: PixelFormat, size: VideoSize) -> ColorSpace {
        colorSpace ?? .unspecified(for: size, format: format)
    }

    /// Returns the visible part of a frame: the part of ``crop`` inside it, or the whole frame if there is none.
    ///
    /// - Parameter size: the size of the frame in memory, in pixels.
    /// - Returns: a rectangle of at least one pixel, in pixels in memory, before rotation.
    public func visibleRectangle(in size: VideoSize) -> Rectangle {
        let all = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        guard let part = crop?.intersection(all), part.width > 0, part.height > 0 else { return all }
        return part
    }
}

/// The meaning of a frame's samples and how it is shown: everything but its pixels and its time.
///
/// It is one value, passed on whole from the source to the renderer, so that attributes added later arrive without
/// changes in between.
///
/// **Thread:** any. **Cost:** copying it allocates nothing.
public struct FrameAttributes: Hashable, Sendable {
    /// The stream's tags for its colours and for the position of its chroma samples.
    ///
    /// Missing tags are inferred from the frame's format and size: ``VideoFrame/colorSpace`` and
    /// ``VideoFrame/chromaLocation`` return the complete values.
    public var colorTags: ColorTags
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
    /// Whether parts of the picture may be wrong, because something that it is decoded from was lost.
    public var isDamaged = false

    /// Creates attributes, each with a usable default.
    public init(
        colorTags: ColorTags = ColorTags(), rotation: VideoRotation = .upright, mirror: VideoMirror = .unmirrored,
        pixelAspectRatio: Rational = .one, crop: Rectangle? = nil, hdrMetadata: HDRMetadata? = nil
    ) {
        self.colorTags = colorTags
        self.rotation = rotation
        self.mirror = mirror
        self.pixelAspectRatio = pixelAspectRatio
        self.crop = crop
        self.hdrMetadata = hdrMetadata
    }

    /// Creates attributes with a complete colour space; without a chroma location, the rule of ``ColorTags`` applies.
    public init(
        colorSpace: ColorSpace, chromaLocation: ChromaLocation? = nil, rotation: VideoRotation = .upright,
        mirror: VideoMirror = .unmirrored, pixelAspectRatio: Rational = .one, crop: Rectangle? = nil,
        hdrMetadata: HDRMetadata? = nil
    ) {
        self.init(
            colorTags: ColorTags(colorSpace, chromaLocation: chromaLocation), rotation: rotation, mirror: mirror,
            pixelAspectRatio: pixelAspectRatio, crop: crop, hdrMetadata: hdrMetadata)
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

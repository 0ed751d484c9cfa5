/// How the samples of a picture lie in memory.
///
/// A format is one case here, one row in ``planes``, and one GLSL function in the renderer.
public enum PixelFormat: String, CaseIterable, Hashable, Sendable {
    /// 8-bit 4:2:0 in three planes: Y, Cb, Cr.
    case i420
    /// 8-bit 4:2:0 in two planes: Y, then Cb and Cr interleaved.
    case nv12

    /// The planes in the order in which they are handed over.
    public var planes: [PlaneDescription] {
        switch self {
        case .i420: Self.i420Planes
        case .nv12: Self.nv12Planes
        }
    }

    /// One sentence for people.
    public var summary: String {
        switch self {
        case .i420: "8-bit YCbCr 4:2:0, three planes (Y, Cb, Cr)"
        case .nv12: "8-bit YCbCr 4:2:0, two planes (Y, CbCr interleaved)"
        }
    }

    /// Bytes of one picture whose rows follow each other without padding and whose planes follow each other.
    ///
    /// - Parameter size: each side 1…``PixelBuffer/maximumSide``.
    /// - Returns: the number of bytes.
    public func packedByteCount(_ size: VideoSize) -> Int {
        planes.reduce(0) { $0 + $1.rowBytes(size) * $1.height(size) }
    }

    // Stored once, so that asking for the planes of a frame allocates nothing.
    private static let luma = PlaneDescription(components: 1, horizontalShift: 0, verticalShift: 0)
    private static let i420Planes = [
        luma,
        PlaneDescription(components: 1, horizontalShift: 1, verticalShift: 1),
        PlaneDescription(components: 1, horizontalShift: 1, verticalShift: 1),
    ]
    private static let nv12Planes = [luma, PlaneDescription(components: 2, horizontalShift: 1, verticalShift: 1)]
}

/// One plane of a ``PixelFormat``: how many 8-bit components lie side by side, and how much smaller than the picture
/// it is.
public struct PlaneDescription: Hashable, Sendable {
    /// Components of one sample position: 1 for a plane of its own, 2 for interleaved chroma.
    public let components: Int
    /// The plane is 2 to this power narrower than the picture.
    public let horizontalShift: Int
    /// The plane is 2 to this power lower than the picture.
    public let verticalShift: Int

    /// Samples in a row, rounded up: an odd width has a chroma sample for its last pixel.
    public func width(_ size: VideoSize) -> Int { (size.width + (1 << horizontalShift) - 1) >> horizontalShift }

    /// Rows, rounded up.
    public func height(_ size: VideoSize) -> Int { (size.height + (1 << verticalShift) - 1) >> verticalShift }

    /// Bytes of a row that carry samples; the smallest valid `bytesPerRow`.
    public func rowBytes(_ size: VideoSize) -> Int { width(size) * components }

    /// Bytes from the first to the last sample; the last row needs no padding.
    public func byteCount(_ size: VideoSize, bytesPerRow: Int) -> Int {
        bytesPerRow * (height(size) - 1) + rowBytes(size)
    }
}

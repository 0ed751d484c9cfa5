import VitrailSupport

/// The layout of a ``PixelFormat``'s samples: a row of the table of formats.
///
/// **Cost:** making one allocates nothing.
public struct PixelLayout: Sendable {
    /// The kind of components.
    public enum Model: Hashable, Sendable {
        /// Y, Cb, Cr.
        case yCbCr
        /// R, G, B.
        case rgb
        /// Y alone.
        case gray
        /// One of R, G, B per pixel.
        case bayer
    }

    /// The arrangement of the samples in a plane.
    public enum Packing: Hashable, Sendable {
        /// Each component at a fixed step: see ``PixelLayout/components``.
        case regular
        /// Six pixels of 4:2:2 in four 32-bit words of three samples each.
        case v210
        /// One component per pixel: the column and row, 0 or 1, of red in the upper left 2 × 2 block; blue is opposite.
        case bayer(redColumn: Int, redRow: Int)
    }

    /// The kind of components.
    public let model: Model
    /// The planes, in their order in a buffer.
    public let planes: PlaneList
    /// The bits per component; if they differ, the largest number.
    public let depth: Int
    /// Whether components are floating-point numbers.
    public let isFloat: Bool
    /// The locations of Y, Cb, Cr and A, or of R, G, B and A; `nil` for those that the format lacks.
    ///
    /// All are `nil` for ``Packing/v210``, whose samples are not a fixed step apart. Bayer formats have only the first,
    /// which is the one colour of each pixel.
    public let components: InlineArray<4, ComponentDescription?>
    /// The binary logarithm of luma columns per chroma column.
    public let horizontalShift: Int
    /// The binary logarithm of luma rows per chroma row.
    public let verticalShift: Int
    /// The arrangement of the samples in a plane.
    public private(set) var packing = Packing.regular

    /// Whether the format has alpha.
    public var hasAlpha: Bool { components[3] != nil }

    /// Whether chroma has fewer samples than luma.
    public var isSubsampled: Bool { horizontalShift + verticalShift > 0 }
}

/// The location of one component's samples in their plane.
public struct ComponentDescription: Hashable, Sendable {
    /// The index of the plane.
    public let plane: Int
    /// Bytes from the start of a row to the word of the first sample.
    public let offset: Int
    /// Bytes from one sample's word to the next.
    public let step: Int
    /// Bytes of the little-endian word that the sample is in: 1, 2 or 4.
    public let wordBytes: Int
    /// Bits below the sample in its word.
    public let shift: Int
    /// Bits of the sample.
    public let depth: Int
}

/// One plane of a ``PixelFormat``: its size relative to the frame, and the layout of its rows.
public struct PlaneDescription: Hashable, Sendable {
    /// The binary logarithm of the frame's columns per column of the plane.
    public let horizontalShift: Int
    /// The binary logarithm of the frame's rows per row of the plane.
    public let verticalShift: Int
    /// The number of adjacent samples that share a block of bytes: 1, or 2 or 6 for packed 4:2:2.
    public let blockWidth: Int
    /// The number of bytes in a block.
    public let blockBytes: Int

    init(_ blockBytes: Int, blockWidth: Int = 1, horizontalShift: Int = 0, verticalShift: Int = 0) {
        self.blockBytes = blockBytes
        self.blockWidth = blockWidth
        self.horizontalShift = horizontalShift
        self.verticalShift = verticalShift
    }

    /// The number of samples in a row, rounded up: an odd width has a chroma sample for its last pixel.
    public func width(_ size: VideoSize) -> Int { (size.width + (1 << horizontalShift) - 1) >> horizontalShift }

    /// The number of rows, rounded up.
    public func height(_ size: VideoSize) -> Int { (size.height + (1 << verticalShift) - 1) >> verticalShift }

    /// The bytes of a row without padding, in whole blocks; the smallest valid stride.
    public func rowBytes(_ size: VideoSize) -> Int { (width(size) + blockWidth - 1) / blockWidth * blockBytes }

    /// The number of bytes from the first to the last sample; the last row needs no padding.
    ///
    /// - Parameters:
    ///   - size: the size of the frame.
    ///   - bytesPerRow: the stride; negative if the last row is first in memory.
    /// - Returns: the number of bytes.
    public func byteCount(_ size: VideoSize, bytesPerRow: Int) -> Int {
        abs(bytesPerRow) * (height(size) - 1) + rowBytes(size)
    }
}

/// The planes of a format, stored inline, without an allocation.
public struct PlaneList: RandomAccessCollection, Sendable {
    private let storage: InlineArray<4, PlaneDescription>
    /// The number of planes: 1…4.
    public let count: Int

    init(
        _ first: PlaneDescription, _ second: PlaneDescription? = nil, third: PlaneDescription? = nil,
        alpha: Bool = false
    ) {
        storage = [first, second ?? first, third ?? first, first]
        count = (second == nil ? 1 : third == nil ? 2 : 3) + (alpha ? 1 : 0)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The same as ``count``.
    public var endIndex: Int { count }
    /// Plane `index`, which must be below ``count``.
    public subscript(index: Int) -> PlaneDescription {
        require(
            index >= 0 && index < count, "The format has \(count) planes, counted from 0: there is no plane \(index).")
        return storage[index]
    }
}

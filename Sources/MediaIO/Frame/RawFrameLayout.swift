import VitrailSupport

/// The layout of a whole frame in one piece of memory: where each plane begins, and its stride.
///
/// It is validated once, here: afterwards, memory only needs to be checked for its length, ``byteCount``.
///
/// **Cost:** making one without a list of strides allocates nothing.
public struct RawFrameLayout: Sendable {
    /// The location of a plane.
    public struct Plane: Hashable, Sendable {
        /// Bytes from the start of the memory to the first row.
        public let offset: Int
        /// The stride: bytes from a row's first sample to the next row's.
        public let bytesPerRow: Int

        /// Describes a plane.
        public init(offset: Int, bytesPerRow: Int) {
            self.offset = offset
            self.bytesPerRow = bytesPerRow
        }
    }

    /// The format of the samples.
    public let format: PixelFormat
    /// The size of the frame, in pixels.
    public let size: VideoSize
    /// The bytes from the start of the memory to the end of the last sample.
    public let byteCount: Int
    private let planes: InlineArray<4, Plane>

    /// Describes planes that follow each other.
    ///
    /// - Parameters:
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - bytesPerRow: the stride of each plane; every row is padded to it, except the last row of the last plane. By
    ///     default nothing is padded.
    /// - Throws: ``StreamError/Code/sizeOutOfRange``, ``StreamError/Code/planeCount`` or
    ///   ``StreamError/Code/bytesPerRow``, naming the plane and the mismatch.
    public init(_ format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil) throws(StreamError) {
        try PixelBuffer.validate(size)
        if let bytesPerRow { try PixelBuffer.validate(planeCount: bytesPerRow.count, format) }
        let descriptions = format.planes
        var planes = InlineArray<4, Plane>(repeating: Plane(offset: 0, bytesPerRow: 0))
        var offset = 0
        for index in 0..<descriptions.count {
            let stride = bytesPerRow?[index] ?? descriptions[index].rowBytes(size)
            try Self.validate(stride, index, format, size)
            planes[index] = Plane(offset: offset, bytesPerRow: stride)
            offset += stride * descriptions[index].height(size)
        }
        self.init(format, size, planes)
    }

    /// Describes planes at any offsets.
    ///
    /// - Parameters:
    ///   - format: the format of the samples.
    ///   - size: the size of the frame, each side 1…``PixelBuffer/maximumSide``.
    ///   - planes: as many as the format has, in its order.
    /// - Throws: ``StreamError/Code/sizeOutOfRange``, ``StreamError/Code/planeCount``, ``StreamError/Code/bytesPerRow``
    ///   or ``StreamError/Code/malformed`` for an offset below 0 or above 2^40, naming the plane and the mismatch.
    public init(_ format: PixelFormat, size: VideoSize, planes: [Plane]) throws(StreamError) {
        try PixelBuffer.validate(size)
        try PixelBuffer.validate(planeCount: planes.count, format)
        for (index, plane) in planes.enumerated() {
            try Self.validate(plane.bytesPerRow, index, format, size)
            // The bound keeps the sum with the plane's length from overflowing.
            guard (0...1 << 40).contains(plane.offset) else {
                throw StreamError(
                    .malformed, "Plane \(index) of \(format) cannot be at offset \(plane.offset): it must be 0 to 2^40."
                )
            }
        }
        self.init(format, size, InlineArray { planes[min($0, planes.count - 1)] })
    }

    init(_ format: PixelFormat, _ size: VideoSize, _ planes: InlineArray<4, Plane>) {
        (self.format, self.size, self.planes) = (format, size, planes)
        let descriptions = format.planes
        var end = 0
        for index in 0..<descriptions.count {
            let length = descriptions[index].byteCount(size, bytesPerRow: planes[index].bytesPerRow)
            end = max(end, planes[index].offset + length)
        }
        byteCount = end
    }

    /// The number of planes.
    public var planeCount: Int { format.planes.count }

    /// The location of plane `index`, 0..<``planeCount``.
    public subscript(index: Int) -> Plane {
        require(
            (0..<planeCount).contains(index),
            "The format \(format) has planes 0..<\(planeCount); plane \(index) does not exist.")
        return planes[index]
    }

    /// Checks that memory has room for the frame.
    ///
    /// - Throws: ``StreamError/Code/tooShort``.
    func validate(length: Int) throws(StreamError) {
        guard length >= byteCount else {
            let strides = (0..<planeCount).map { planes[$0].bytesPerRow }
            let missing = (0..<planeCount).first { end(of: $0) > length } ?? 0
            throw StreamError(
                .tooShort,
                "A frame of \(format) \(size) with \(strides) bytes per row needs \(byteCount) bytes, \(end(of: missing)) up to the "
                    + "end of plane \(missing), but \(length) were given: check its size, format and strides.")
        }
    }

    /// A plane in memory of at least ``byteCount`` bytes.
    func plane(_ index: Int, of bytes: UnsafeRawBufferPointer) -> PixelBuffer.Plane {
        let plane = planes[index]
        return PixelBuffer.Plane(
            bytes: UnsafeRawBufferPointer(rebasing: bytes[plane.offset..<end(of: index)]),
            bytesPerRow: plane.bytesPerRow)
    }

    /// The byte after the last sample of a plane.
    private func end(of index: Int) -> Int {
        planes[index].offset + format.planes[index].byteCount(size, bytesPerRow: planes[index].bytesPerRow)
    }

    private static func validate(
        _ stride: Int, _ index: Int, _ format: PixelFormat, _ size: VideoSize
    ) throws(StreamError) {
        let bounds = format.planes[index].rowBytes(size)...1 << 30
        guard bounds.contains(stride) else {
            throw StreamError(
                .bytesPerRow,
                "Plane \(index) of \(format) \(size) needs \(bounds.lowerBound) to \(bounds.upperBound) bytes per row, but \(stride) were given."
            )
        }
    }
}

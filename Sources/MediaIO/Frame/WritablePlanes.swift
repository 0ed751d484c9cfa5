import VitrailSupport

/// The planes of a buffer that is not shared yet, for writing.
///
/// Memory is lent to closures; an index out of range ends the program, in release builds, too.
public struct WritablePlanes: ~Copyable {
    let buffer: PixelBuffer

    /// The format to write.
    public var format: PixelFormat { buffer.format }
    /// The size in pixels.
    public var size: VideoSize { buffer.size }
    /// The number of planes.
    public var count: Int { buffer.planeCount }

    /// The stride of a plane, in bytes.
    ///
    /// - Parameter index: 0..<``count``.
    /// - Returns: at least the bytes of a row's samples.
    public func bytesPerRow(_ index: Int) -> Int { buffer.plane(index).bytesPerRow }

    /// Lends a row for writing: exactly the bytes of its samples, without padding.
    ///
    /// - Parameters:
    ///   - row: the row, counted from the top; less than the height of the plane.
    ///   - index: the index of the plane, 0..<``count``.
    ///   - body: writes the bytes; for samples larger than a byte use the `mutableBytes` of the span.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    public func withRow<Result, Failure: Error>(
        _ row: Int, ofPlane index: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = MutableSpan(_unsafeElements: rowBytes(row, ofPlane: index).assumingMemoryBound(to: UInt8.self))
        return try body(&span)
    }

    /// Lends a whole plane for writing, including the padding between rows: ``bytesPerRow(_:)`` × rows.
    ///
    /// - Parameters:
    ///   - index: the index of the plane, 0..<``count``.
    ///   - body: writes the bytes.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    public func withPlane<Result, Failure: Error>(
        _ index: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = MutableSpan(_unsafeElements: planeBytes(index).assumingMemoryBound(to: UInt8.self))
        return try body(&span)
    }

    /// Copies planes of the same format and size, row by row.
    ///
    /// - Parameter planes: as many as the format has, in its order.
    /// - Throws: ``StreamError``, naming the plane and the mismatch, before anything is read or written.
    public func copy(_ planes: [PixelBuffer.Plane]) throws(StreamError) {
        try PixelBuffer.validate(planes, format, size)
        for (index, description) in format.planes.enumerated() {
            for row in 0..<description.height(size) {
                rowBytes(row, ofPlane: index).copyMemory(from: planes[index].row(row, description, size))
            }
        }
    }

    /// Copies a buffer of the same format and size, row by row.
    package func copy(_ other: PixelBuffer) {
        require(other.format == format && other.size == size, "Only buffers of one format and size can be copied.")
        for index in 0..<count {
            let description = format.planes[index]
            other.withPlane(index) { plane in
                for row in 0..<description.height(size) {
                    rowBytes(row, ofPlane: index).copyMemory(from: plane.row(row, description, size))
                }
            }
        }
    }

    /// Lends a row as a pointer, for loops that the compiler can vectorize.
    package func withRowBytes<Result, Failure: Error>(
        _ row: Int, ofPlane index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(rowBytes(row, ofPlane: index))
    }

    /// Lends a plane as a pointer, for C interfaces.
    package func withPlaneBytes<Result, Failure: Error>(
        _ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(planeBytes(index))
    }

    private func planeBytes(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(mutating: buffer.plane(index).bytes)
    }

    private func rowBytes(_ row: Int, ofPlane index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(mutating: buffer.plane(index).row(row, format.planes[index], size))
    }
}

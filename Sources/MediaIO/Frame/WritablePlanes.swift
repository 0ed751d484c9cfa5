/// The planes of a buffer that nobody else can see yet.
///
/// Memory is lent to closures; a plane or a row that does not exist ends the program, in release builds too.
public struct WritablePlanes: ~Copyable {
    let buffer: PixelBuffer

    /// The layout to be written.
    public var format: PixelFormat { buffer.format }
    /// The size in pixels.
    public var size: VideoSize { buffer.size }
    /// How many planes there are.
    public var count: Int { buffer.planeCount }

    /// Bytes from a row of a plane to the next.
    ///
    /// - Parameter index: 0..<``count``.
    /// - Returns: at least the bytes of a row that carry samples.
    public func bytesPerRow(_ index: Int) -> Int { buffer.plane(index).bytesPerRow }

    /// Lends a row for writing: exactly the bytes that carry samples.
    ///
    /// - Parameters:
    ///   - row: from the top, below the height of the plane.
    ///   - index: of the plane, 0..<``count``.
    ///   - body: writes the bytes. Where a sample is larger than a byte, `mutableBytes` stores it.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    public func withRow<Result, Failure: Error>(
        _ row: Int, ofPlane index: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = MutableSpan(_unsafeElements: rowBytes(row, ofPlane: index).assumingMemoryBound(to: UInt8.self))
        return try body(&span)
    }

    /// Lends a whole plane for writing, the padding between its rows included: ``bytesPerRow(_:)`` × its rows.
    ///
    /// - Parameters:
    ///   - index: of the plane, 0..<``count``.
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
    /// - Throws: ``StreamError``, naming the plane and what does not fit; nothing was read or written then.
    public func copy(_ planes: [PixelBuffer.Plane]) throws(StreamError) {
        try PixelBuffer.validate(planes, format, size)
        for (index, description) in format.planes.enumerated() {
            for row in 0..<description.height(size) {
                rowBytes(row, ofPlane: index).copyMemory(from: planes[index].row(row, description, size))
            }
        }
    }

    /// Lends a row as a pointer, for loops that the compiler shall turn into vector code.
    package func withRowBytes<Result, Failure: Error>(
        _ row: Int, ofPlane index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(rowBytes(row, ofPlane: index))
    }

    /// Lends a plane as a pointer, for the calls of systems and libraries.
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

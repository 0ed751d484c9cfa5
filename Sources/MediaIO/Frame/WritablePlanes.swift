/// The planes of a buffer that nobody else can see yet.
public struct WritablePlanes: ~Copyable {
    let buffer: PixelBuffer

    /// The layout to be written.
    public var format: PixelFormat { buffer.format }
    /// The size in pixels.
    public var size: VideoSize { buffer.size }
    /// How many planes there are.
    public var count: Int { buffer.planeCount }

    /// Bytes from a row of plane `index` to the next.
    public func bytesPerRow(_ index: Int) -> Int { buffer.storage[index].bytesPerRow }

    /// Lends row `row` of plane `index`: exactly the bytes that carry samples.
    public func withRow<Result>(
        _ row: Int, ofPlane index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) -> Result {
        let plane = buffer.storage[index]
        let length = buffer.format.planes[index].rowBytes(buffer.size)
        let bytes = plane.bytes[row * plane.bytesPerRow..<row * plane.bytesPerRow + length]
        return body(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: bytes)))
    }

    /// Lends the whole of plane `index`, the padding between its rows included: ``bytesPerRow(_:)`` × its rows.
    public func withPlane<Result>(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        body(UnsafeMutableRawBufferPointer(mutating: buffer.storage[index].bytes))
    }

    /// Copies planes of the same format and size, row by row.
    public func copy(_ planes: [PixelBuffer.Plane]) {
        let descriptions = format.planes
        for index in descriptions.indices {
            for row in 0..<descriptions[index].height(size) {
                withRow(row, ofPlane: index) { $0.copyMemory(from: planes[index].row(row, descriptions[index], size)) }
            }
        }
    }
}

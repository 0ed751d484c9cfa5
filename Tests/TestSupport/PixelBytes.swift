public import MediaIO

extension PixelBuffer {
    /// The samples of all planes, one after the other and without padding: what a raw file would hold.
    public var packedBytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(format.packedByteCount(size))
        for (index, description) in format.planes.enumerated() {
            for row in 0..<description.height(size) {
                withRow(row, ofPlane: index) { $0.withUnsafeBytes { result += $0 } }
            }
        }
        return result
    }

    /// A buffer with samples as a raw file holds them.
    ///
    /// - Parameters:
    ///   - bytes: as many as ``PixelFormat/packedByteCount(_:)`` says.
    ///   - format: the layout.
    ///   - size: in pixels.
    /// - Throws: ``StreamError`` when the size is out of range.
    public convenience init(packed bytes: [UInt8], format: PixelFormat, size: VideoSize) throws {
        try self.init(format: format, size: size) { planes in
            var offset = 0
            for (index, description) in format.planes.enumerated() {
                for row in 0..<description.height(size) {
                    planes.withRow(row, ofPlane: index) { target in
                        target.withUnsafeMutableBytes { $0.copyBytes(from: bytes[offset..<offset + $0.count]) }
                        offset += target.count
                    }
                }
            }
        }
    }
}

import MediaIO

/// Reads frames until the end.
func readAll(_ reader: some FrameReader, limit: Int = 10_000) throws -> [VideoFrame] {
    var frames: [VideoFrame] = []
    while frames.count < limit, let frame = try reader.next() { frames.append(frame) }
    return frames
}

extension VideoFrame {
    /// The samples alone: rows and planes one after the other.
    var packedBytes: [UInt8] {
        var bytes: [UInt8] = []
        for (index, description) in pixelBuffer.format.planes.enumerated() {
            pixelBuffer.withPlane(index) { plane in
                for row in 0..<description.height(pixelBuffer.size) {
                    let start = row * plane.bytesPerRow
                    bytes += plane.bytes[start..<start + description.rowBytes(pixelBuffer.size)]
                }
            }
        }
        return bytes
    }
}

/// The error that `body` throws, or `nil`.
func streamError(_ body: () throws -> Void) throws -> StreamError? {
    do {
        try body()
        return nil
    } catch let error as StreamError {
        return error
    }
}

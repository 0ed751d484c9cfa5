import MediaIO

/// Refuses a size that no picture can have.
///
/// - Parameters:
///   - size: as the input says.
///   - name: whose size it is, at the beginning of the sentence.
///   - code: what kind of error it is there.
/// - Throws: ``StreamError`` with the size and the limit.
func checkSize(_ size: VideoSize, of name: String, _ code: StreamError.Code) throws(StreamError) {
    let sides = 1...PixelBuffer.maximumSide
    guard sides.contains(size.width), sides.contains(size.height) else {
        throw StreamError(
            code, "\(name) cannot be \(size) pixels large: each side is \(sides.lowerBound) to \(sides.upperBound).")
    }
}

extension PixelBufferPool {
    /// Hands out a buffer that `fill` has written.
    ///
    /// - Parameters:
    ///   - name: for whom, in the error.
    ///   - format: the layout.
    ///   - size: in pixels.
    ///   - fill: writes every sample.
    /// - Returns: the buffer, for others to read.
    /// - Throws: ``StreamError/Code/readFailed`` when there is no memory.
    func makeBuffer(
        for name: String, _ format: PixelFormat, _ size: VideoSize, fill: (borrowing WritablePlanes) -> Void
    ) throws(StreamError) -> PixelBuffer {
        do throws(PixelBufferError) {
            return try makeBuffer(format: format, size: size, fill: fill)
        } catch {
            throw StreamError(.readFailed, "No frame of \(name) can be made. \(error)")
        }
    }
}

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

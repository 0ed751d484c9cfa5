import MediaIO

/// Rejects a size that no frame can have.
///
/// - Parameters:
///   - size: the size of the input.
///   - name: whose size it is, at the beginning of the error.
///   - code: the kind of error to throw.
/// - Throws: ``StreamError`` with the size and the limit.
func checkSize(_ size: VideoSize, of name: String, _ code: StreamError.Code) throws(StreamError) {
    let sides = 1...PixelBuffer.maximumSide
    guard sides.contains(size.width), sides.contains(size.height) else {
        throw StreamError(
            code, "\(name) cannot have the size \(size): each side must be \(sides.lowerBound) to \(sides.upperBound).")
    }
}

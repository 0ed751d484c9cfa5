/// The coverage of each pixel by text: 8 bits per pixel, from 0 for none to 255 for full coverage.
///
/// The renderer chooses the colour.
public struct TextImage: Hashable, Sendable {
    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int
    /// The stride in bytes, a multiple of 4.
    public let bytesPerRow: Int
    /// Rows from the top, ``bytesPerRow`` × ``height`` bytes.
    public let coverage: [UInt8]

    /// One pixel without coverage: the image of empty text, so that renderers need no special case.
    static let empty = TextImage(width: 1, height: 1, bytesPerRow: 4, coverage: [0, 0, 0, 0])
}

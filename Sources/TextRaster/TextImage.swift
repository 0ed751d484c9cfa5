/// How much of each pixel is covered by text: 8 bits a pixel, 0 nothing and 255 all of it.
///
/// Colour is the drawer's choice.
public struct TextImage: Hashable, Sendable {
    /// Pixels in a row, at least 1.
    public let width: Int
    /// Rows, at least 1.
    public let height: Int
    /// The stride: bytes from a row's first pixel to the next row's; a multiple of 4.
    public let bytesPerRow: Int
    /// The rows from the top, ``bytesPerRow`` × ``height`` bytes.
    public let coverage: [UInt8]

    /// One pixel without ink: what there is to see of no text, so that drawers need no special case for it.
    static let empty = TextImage(width: 1, height: 1, bytesPerRow: 4, coverage: [0, 0, 0, 0])
}

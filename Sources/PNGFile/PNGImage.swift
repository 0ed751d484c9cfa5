/// A picture read from a PNG, converted to 8-bit RGBA.
public struct PNGImage: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// Red, green, blue and alpha, 8 bits each, sRGB, not premultiplied; rows from the top, without padding.
    public let rgba: [UInt8]
}

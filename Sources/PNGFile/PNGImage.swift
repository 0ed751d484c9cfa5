/// A picture read from a PNG, whatever kind of samples the file has.
public struct PNGImage: Hashable, Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Red, green, blue and alpha, 8 bits each, sRGB, not premultiplied; the rows from the top without padding.
    public let rgba: [UInt8]
}

import VitrailSupport

/// A picture that an effect reads: a PNG file beside it.
public struct EffectTexture: Hashable, Sendable {
    /// The name of its sampler.
    public var name: String
    /// The pixels.
    public var image: Image
    /// Whether the nearest texel is read, instead of a weighted mean of four (bilinear).
    public var isNearest: Bool
    /// Whether the texture repeats beyond its edges; otherwise the texels at the edges continue.
    public var repeats: Bool

    /// Pixels in memory; immutable and compared by identity.
    public final class Image: Hashable, Sendable {
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// R', G', B' and alpha, 8 bits each, not premultiplied; rows from the top, without padding.
        public let rgba: [UInt8]

        /// Creates an image.
        public init(width: Int, height: Int, rgba: [UInt8]) {
            require(
                width > 0 && height > 0 && rgba.count == width * height * 4,
                "An image needs at least one pixel, and width × height × 4 bytes.")
            self.width = width
            self.height = height
            self.rgba = rgba
        }

        /// Whether both are the same object.
        public static func == (left: Image, right: Image) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

/// The pixel format of an ``OffscreenTarget``.
public enum PictureFormat: Hashable, Sendable {
    /// R, G, B and A in a byte each.
    case rgba8
    /// B, G, R and A in a byte each, as windows have it in memory.
    case bgra8
    /// A 32-bit word: from the low bits R, G, B with 10 bits each, A with 2.
    case rgb10a2
    /// R, G, B and A as 16-bit floating-point numbers.
    case rgba16f
    /// R, G, B and A as 32-bit floating-point numbers.
    case rgba32f

    /// The bytes per pixel in memory.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba8, .bgra8, .rgb10a2: 4
        case .rgba16f: 8
        case .rgba32f: 16
        }
    }

    /// The bits per component, for dithering: 16 for floating-point numbers, which are not dithered.
    public var depth: Int {
        switch self {
        case .rgba8, .bgra8: 8
        case .rgb10a2: 10
        case .rgba16f, .rgba32f: 16
        }
    }
}

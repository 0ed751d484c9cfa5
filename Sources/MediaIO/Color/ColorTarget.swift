/// The colours of a render target or screen.
public struct ColorTarget: Hashable, Sendable {
    /// The chromaticities of its red, green and blue.
    public var primaries: ColorSpace.Primaries
    /// How its code values relate to light.
    public var transfer: ColorSpace.Transfer

    /// Creates a target; the defaults are those of ``sRGB``.
    public init(primaries: ColorSpace.Primaries = .bt709, transfer: ColorSpace.Transfer = .sRGB) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// The usual screen and image file: primaries of BT.709, transfer function of IEC 61966-2-1.
    public static let sRGB = ColorTarget()

    /// Converts a colour of sRGB, with its opacity, as frames with such colours are converted
    /// (``ColorConversionMode/auto``).
    package func shown(_ color: SIMD4<Float>) -> SIMD4<Float> {
        let space = ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)
        guard self != .sRGB, let conversion = ColorConversion.needed(from: space, to: self, mode: .auto) else {
            return color
        }
        let shown = conversion(SIMD3(Double(color.x), Double(color.y), Double(color.z)))
        return SIMD4(SIMD3<Float>(shown), color.w)
    }

    /// The luminance of SDR white in cd/m²: 203, that of HDR reference white (ITU-R BT.2408, clause 2.2).
    public static let whiteLuminance = 203.0
}

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

    /// The luminance of SDR white in cd/m²: 203, that of HDR reference white (ITU-R BT.2408, clause 2.2).
    public static let whiteLuminance = 203.0
}

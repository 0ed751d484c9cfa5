/// The colours of what a picture is shown on.
public struct ColorTarget: Hashable, Sendable {
    /// The colours of its red, green and blue light.
    public var primaries: ColorSpace.Primaries
    /// How its code values relate to light.
    public var transfer: ColorSpace.Transfer

    /// Creates a target; what is left out is that of ``sRGB``.
    public init(primaries: ColorSpace.Primaries = .bt709, transfer: ColorSpace.Transfer = .sRGB) {
        self.primaries = primaries
        self.transfer = transfer
    }

    /// The usual screen and the usual picture file: primaries of BT.709, curve of IEC 61966-2-1.
    public static let sRGB = ColorTarget()

    /// The luminance, in cd/m², of the white of a picture without high dynamic range: 203, that of reference white
    /// in high dynamic range (ITU-R BT.2408, clause 2.2).
    public static let whiteLuminance = 203.0
}

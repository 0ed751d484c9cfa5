/// The effects of the library that the CPU draws by itself, as their shaders do, within one code value.
package enum EffectKernel: String, CaseIterable, Sendable {
    case grayscale
    case plainLuma = "plain-luma"
    case sepia
    case invert
    case adjust
    case exposure
    case posterize
    case lut
    case zebra
    case falseColor = "false-color"
    case privacyMask = "privacy-mask"
    case mirror
    case pixelate
}

/// Which primaries and transfer functions are converted to those of the target.
///
/// The matrix and the range are converted in every mode.
public enum ColorConversionMode: String, CaseIterable, Hashable, Sendable {
    /// Like players: only HDR and wide gamut are converted.
    ///
    /// The transfer functions BT.709 (by BT.1886), sRGB and gamma 2.2 all count as the display's own, and both
    /// primaries of BT.601 as those of BT.709; so video and images keep their code values, at no cost. Wide primaries,
    /// linear light, gamma 2.8, PQ and HLG are converted.
    case auto
    /// All differences are converted.
    case exact
    /// Nothing is converted: code values are interpreted as the target's.
    case off
}

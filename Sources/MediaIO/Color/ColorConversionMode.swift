/// What is done about the primaries and the transfer function of a picture that are not those of the target.
///
/// The matrix and the range are converted in every mode.
public enum ColorConversionMode: String, CaseIterable, Hashable, Sendable {
    /// What players do: plain video is shown as it is, all else is converted.
    ///
    /// BT.709's transfer function (shown after BT.1886), sRGB and a power of 2.2 all count as the display's own curve,
    /// and both primaries of BT.601 as those of BT.709; so video and pictures keep their code values, at no cost. Wide
    /// primaries, linear light, a power of 2.8, PQ and HLG are converted.
    case auto
    /// Whatever differs is converted.
    case exact
    /// Nothing is converted: code values are shown as if they were the target's.
    case off
}

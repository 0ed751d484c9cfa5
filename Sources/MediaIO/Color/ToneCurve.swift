/// The tone curve from HDR to SDR: the electrical-electrical transfer function of ITU-R BT.2390-10, clause 5.4.1.
///
/// Luminance is compressed in the PQ domain: values below a knee are unchanged, values above follow a Hermite spline
/// that ends flat where the source's peak meets the target's. The target's peak is ``ColorTarget/whiteLuminance``, its
/// black is 0 (BT.1886 with LB = 0).
///
/// In the terms of the clause: LW, the source's peak, is ``sourcePeak(of:_:)``. LB, its black, is the mastering
/// display's minimum. LB is 0 for HLG, and if the minimum is unspecified or above 1 cd/m², which no mastering display
/// has. Since the target's black is never above LB, `minLum` is never positive, and the exponent of the black level
/// term is 4.
public struct ToneCurve: Hashable, Sendable {
    /// The largest luminance that a stream can specify, in cd/m²: that of PQ.
    public static let largestLuminance = PerceptualQuantizer.peak

    /// The PQ code value, 0…1, of the source's black.
    public let black: Double
    /// The distance from ``black`` to the PQ code value of the source's peak.
    public let span: Double
    /// Where compression begins (KS), in `span`s above `black`; 1 for no compression.
    public let knee: Double
    /// The target's peak (maxLum), in `span`s above `black`.
    public let peak: Double
    /// The target's black (minLum), in `span`s above `black`: 0 or less.
    public let lift: Double

    /// Creates the curve for a stream's brightness metadata.
    ///
    /// - Parameters:
    ///   - metadata: the metadata, or `nil` if there are none.
    ///   - transfer: the transfer function of the source.
    ///
    /// **Cost:** at each change of the metadata, at most every frame; half a dozen powers, allocates nothing.
    public init(_ metadata: HDRMetadata? = nil, of transfer: ColorSpace.Transfer) {
        let said = transfer == .hlg ? 0 : metadata?.minimumLuminance ?? 0
        // A range never contains NaN.
        black = PerceptualQuantizer.code((0...1).contains(said) ? said : 0)
        span = PerceptualQuantizer.code(Self.sourcePeak(of: transfer, metadata)) - black
        peak = min((PerceptualQuantizer.code(ColorTarget.whiteLuminance) - black) / span, 1)
        knee = 1.5 * peak - 0.5
        lift = (PerceptualQuantizer.code(0) - black) / span
    }

    /// The peak luminance of a source, in cd/m², which the target shows as white.
    ///
    /// For PQ the brightest pixel of the stream (MaxCLL) if specified, else the mastering display's maximum, else 1000;
    /// never below the target's peak. Values above ``largestLuminance`` count as unspecified. For HLG always 1000:
    /// ``ColorConversion`` computes the light of a display of 1000 cd/m², whatever the mastering display could show.
    public static func sourcePeak(of transfer: ColorSpace.Transfer, _ metadata: HDRMetadata?) -> Double {
        guard transfer != .hlg, let metadata else { return 1000 }
        let said =
            isSpecified(metadata.maximumContentLight)
            ? metadata.maximumContentLight : isSpecified(metadata.maximumLuminance) ? metadata.maximumLuminance : 1000
        return max(said, ColorTarget.whiteLuminance)
    }

    /// Maps one luminance, with 1 for ``ColorTarget/whiteLuminance``, to 0…1.
    public func callAsFunction(_ light: Double) -> Double {
        let code = PerceptualQuantizer.code(light * ColorTarget.whiteLuminance)
        let source = min(max((code - black) / span, 0), 1)
        let compressed = source < knee ? source : spline(source)
        let rest = 1 - compressed
        let lifted = compressed + lift * (rest * rest) * (rest * rest)
        return min(PerceptualQuantizer.luminance(lifted * span + black) / ColorTarget.whiteLuminance, 1)
    }

    /// Scales R, G and B alike, so that the brightest of them follows the curve and the hue is preserved.
    public func callAsFunction(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let brightest = light.max()
        return brightest > 0 ? light * (self(brightest) / brightest) : SIMD3(repeating: 0)
    }

    private static func isSpecified(_ luminance: Double) -> Bool {
        luminance > 0 && luminance <= largestLuminance
    }

    private func spline(_ source: Double) -> Double {
        guard knee < 1 else { return source }
        let t = (source - knee) / (1 - knee)
        let square = t * t
        let cube = square * t
        return (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee)
            + (3 * square - 2 * cube) * peak
    }
}

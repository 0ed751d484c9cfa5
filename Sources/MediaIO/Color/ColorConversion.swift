/// A conversion from a frame's primaries and transfer function to those of its target, through linear light.
///
/// 1. ``linearLight(_:)``: R'G'B' to the light that the source's reference display would emit, in the source's
///    primaries, with 1 for ``ColorTarget/whiteLuminance``. BT.709 follows ITU-R BT.1886 with LW = 1 and LB = 0; sRGB
///    IEC 61966-2-1; PQ BT.2100, table 4; HLG BT.2100, table 5, with the OOTF of a display of 1000 cd/m², so a system
///    gamma of 1.2. SDR white is 203 cd/m² (BT.2408).
/// 2. ``shown(_:_:)``: from HDR to SDR, the ``ToneCurve`` of BT.2390 is applied to the brightest of R, G and B, and all
///    three are scaled alike; then the primaries are converted to the target's, from the chromaticities of H.273, and
///    clipped component by component; then the target's code values are computed.
///
/// Anything averaged between the two steps is averaged in linear light. The shaders do the same, within a ΔE ITP
/// (BT.2124) of 1 of these formulas.
///
/// Its equality and hash depend on source and target only, so that it can be the key of a shader program.
public struct ColorConversion: Sendable {
    /// The primaries of the source.
    public let primaries: ColorSpace.Primaries
    /// The transfer function of the source.
    public let transfer: ColorSpace.Transfer
    /// Primaries and transfer function of the target.
    public let target: ColorTarget
    /// The matrix from linear R, G and B of the source to the target's; exactly the identity for equal primaries.
    public let matrix: ColorMatrix
    /// The weights of R, G and B in luminance, in the source's primaries.
    public let sourceWeights: SIMD3<Double>
    /// The weights of R, G and B in luminance, in the target's primaries.
    public let targetWeights: SIMD3<Double>

    /// Creates a conversion; if source and target are equal, it is a round trip through linear light.
    public init(
        primaries: ColorSpace.Primaries, transfer: ColorSpace.Transfer, target: ColorTarget = .sRGB
    ) {
        self.primaries = primaries
        self.transfer = transfer
        self.target = target
        let source = primaries.chromaticities
        let shown = target.primaries.chromaticities
        matrix = primaries == target.primaries ? .identity : source.conversion(to: shown)
        sourceWeights = source.toXYZ.green
        targetWeights = shown.toXYZ.green
    }

    /// The conversion that a frame needs, or `nil` if it is shown unconverted.
    ///
    /// **Cost:** every frame; allocates nothing.
    /// - Parameters:
    ///   - space: the colour space of the frame; its matrix and range are ignored.
    ///   - target: the colours of the target.
    ///   - mode: which differences to convert.
    /// - Returns: the conversion, with the source's primaries and transfer as `mode` interprets them.
    public static func needed(
        from space: ColorSpace, to target: ColorTarget, mode: ColorConversionMode
    ) -> ColorConversion? {
        var (primaries, transfer) = (space.primaries, space.transfer)
        switch mode {
        case .off: return nil
        case .exact: break
        case .auto:
            if primaries.asInPlayers == target.primaries.asInPlayers {
                primaries = target.primaries
            } else {
                primaries = primaries.asInPlayers
            }
            if transfer.isDisplayCurve && target.transfer.isDisplayCurve { transfer = target.transfer }
        }
        guard primaries != target.primaries || transfer != target.transfer else { return nil }
        return ColorConversion(primaries: primaries, transfer: transfer, target: target)
    }

    /// Whether the conversion is from HDR to SDR, so that ``shown(_:_:)`` uses its ``ToneCurve``.
    public var hasToneCurve: Bool { transfer.isHDR && !target.transfer.isHDR }

    /// Converts R'G'B' to light in the source's primaries, with 1 for ``ColorTarget/whiteLuminance``.
    public func linearLight(_ code: SIMD3<Double>) -> SIMD3<Double> { transfer.light(code, sourceWeights) }

    /// Converts light in the source's primaries to the target's R'G'B', 0…1.
    ///
    /// - Parameters:
    ///   - light: a result of ``linearLight(_:)``.
    ///   - curve: the tone curve, used if ``hasToneCurve``.
    /// - Returns: code values.
    public func shown(_ light: SIMD3<Double>, _ curve: ToneCurve) -> SIMD3<Double> {
        target.transfer.code(matrix(hasToneCurve ? curve(light) : light), targetWeights)
    }

    /// Converts the source's R'G'B' to the target's, 0…1, by default with the tone curve of a stream without metadata.
    public func callAsFunction(_ code: SIMD3<Double>, _ curve: ToneCurve? = nil) -> SIMD3<Double> {
        shown(linearLight(code), curve ?? ToneCurve(of: transfer))
    }
}

extension ColorConversion: Hashable {
    /// Whether sources and targets are equal; everything else follows from them.
    public static func == (left: ColorConversion, right: ColorConversion) -> Bool {
        left.primaries == right.primaries && left.transfer == right.transfer && left.target == right.target
    }

    /// Hashes source and target.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(primaries)
        hasher.combine(transfer)
        hasher.combine(target)
    }
}

extension ColorSpace.Primaries {
    /// The primaries as players treat them: BT.601's as BT.709's.
    fileprivate var asInPlayers: ColorSpace.Primaries {
        self == .bt601Lines525 || self == .bt601Lines625 ? .bt709 : self
    }
}

extension ColorSpace.Transfer {
    /// Whether players treat this as the display's own curve.
    fileprivate var isDisplayCurve: Bool { self == .bt709 || self == .sRGB || self == .gamma22 }
}

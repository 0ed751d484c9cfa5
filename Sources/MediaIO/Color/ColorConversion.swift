/// From the primaries and the transfer function of a picture to those of its target, through linear light.
///
/// 1. ``linearLight(_:)``: R'G'B' to the light that the source's reference display would emit, in the source's
///    primaries, with 1 for ``ColorTarget/whiteLuminance``. BT.709 is shown after ITU-R BT.1886 with LW = 1 and
///    LB = 0; sRGB after IEC 61966-2-1; PQ after BT.2100, table 4; HLG after BT.2100, table 5, with the OOTF of a
///    display of 1000 cd/m², so a system gamma of 1.2. White of a picture without high dynamic range is 203 cd/m²
///    (BT.2408).
/// 2. ``shown(_:_:)``: where the source has high dynamic range and the target has not, the ``ToneCurve`` of BT.2390
///    is applied to the brightest of R, G and B, and all three are scaled alike; then the target's primaries, from
///    the chromaticities of H.273; what lies outside is clipped, component by component; then the target's code
///    values.
///
/// Everything that is averaged between the two steps is averaged in linear light. All of it is also done by the
/// shaders, which stay within a ΔE ITP (BT.2124) of 1 of these formulas.
///
/// It identifies itself by its source and target alone, and so serves as the key of a program.
public struct ColorConversion: Sendable {
    /// The primaries of the source.
    public let primaries: ColorSpace.Primaries
    /// The transfer function of the source.
    public let transfer: ColorSpace.Transfer
    /// Primaries and transfer function of the target.
    public let target: ColorTarget
    /// From linear R, G and B of the source to those of the target; exactly the identity where the primaries agree.
    public let matrix: ColorMatrix
    /// The weights of R, G and B in luminance, in the source's primaries.
    public let sourceWeights: SIMD3<Double>
    /// The weights of R, G and B in luminance, in the target's primaries.
    public let targetWeights: SIMD3<Double>

    /// Creates a conversion; source and target may agree, then it is a round trip through linear light.
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

    /// The conversion that a picture needs, or `nil` where it is shown as it is.
    ///
    /// **Cost:** every frame; allocates nothing.
    /// - Parameters:
    ///   - space: the colours of the picture; its matrix and range do not count.
    ///   - target: what it is shown on.
    ///   - mode: what counts as a difference.
    /// - Returns: the conversion, with the source's side as `mode` takes it.
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

    /// Whether high dynamic range is brought into a target without, so that ``shown(_:_:)`` uses its ``ToneCurve``.
    public var hasToneCurve: Bool { transfer.isHDR && !target.transfer.isHDR }

    /// The light of R'G'B' in the source's primaries, with 1 for ``ColorTarget/whiteLuminance``.
    public func linearLight(_ code: SIMD3<Double>) -> SIMD3<Double> { transfer.light(code, sourceWeights) }

    /// The target's R'G'B', 0…1, of light in the source's primaries.
    ///
    /// - Parameters:
    ///   - light: what ``linearLight(_:)`` returned.
    ///   - curve: the tone curve; it counts where ``hasToneCurve`` says so.
    /// - Returns: code values.
    public func shown(_ light: SIMD3<Double>, _ curve: ToneCurve) -> SIMD3<Double> {
        target.transfer.code(matrix(hasToneCurve ? curve(light) : light), targetWeights)
    }

    /// The target's R'G'B', 0…1, of the source's.
    public func callAsFunction(_ code: SIMD3<Double>, _ curve: ToneCurve = ToneCurve()) -> SIMD3<Double> {
        shown(linearLight(code), curve)
    }
}

extension ColorConversion: Hashable {
    /// Whether source and target agree; the numbers follow from them.
    public static func == (left: ColorConversion, right: ColorConversion) -> Bool {
        left.primaries == right.primaries && left.transfer == right.transfer && left.target == right.target
    }

    /// Feeds source and target.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(primaries)
        hasher.combine(transfer)
        hasher.combine(target)
    }
}

extension ColorSpace.Primaries {
    /// Players take the primaries of BT.601 for those of BT.709.
    fileprivate var asInPlayers: ColorSpace.Primaries {
        self == .bt601Lines525 || self == .bt601Lines625 ? .bt709 : self
    }
}

extension ColorSpace.Transfer {
    /// Players take these for whatever curve the display has.
    fileprivate var isDisplayCurve: Bool { self == .bt709 || self == .sRGB || self == .gamma22 }
}

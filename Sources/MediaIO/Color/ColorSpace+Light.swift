import Glibc

extension ColorSpace.Transfer {
    /// Whether code values exceed SDR white.
    public var isHDR: Bool { self == .pq || self == .hlg }

    /// Converts code values to light, with 1 for ``ColorTarget/whiteLuminance``.
    ///
    /// A display emits no negative light (BT.1886, BT.2100), so code values below zero are black; but linear light
    /// keeps its sign, for colours outside the primaries' gamut.
    ///
    /// - Parameters:
    ///   - code: R', G' and B', 0…1 and a little beyond.
    ///   - weights: of R, G and B in luminance.
    /// - Returns: linear R, G and B.
    func light(_ code: SIMD3<Double>, _ weights: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .linear: code
        case .bt709: code.map { pow(max($0, 0), 2.4) }
        case .gamma22: code.map { pow(max($0, 0), 2.2) }
        case .gamma28: code.map { pow(max($0, 0), 2.8) }
        case .sRGB: code.map { $0 <= 0.04045 ? max($0, 0) / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        case .pq: code.map { PerceptualQuantizer.luminance($0) / ColorTarget.whiteLuminance }
        case .hlg:
            HybridLogGamma.display(code.map(HybridLogGamma.scene), weights)
                * (HybridLogGamma.peak / ColorTarget.whiteLuminance)
        }
    }

    /// Converts light, with 1 for ``ColorTarget/whiteLuminance``, to code values, clamped to 0…1.
    ///
    /// - Parameters:
    ///   - light: linear R, G and B.
    ///   - weights: of R, G and B in luminance.
    /// - Returns: R', G' and B'.
    func code(_ light: SIMD3<Double>, _ weights: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .pq: return light.map { PerceptualQuantizer.code($0 * ColorTarget.whiteLuminance) }
        case .hlg:
            let display = light.map { max($0, 0) } * (ColorTarget.whiteLuminance / HybridLogGamma.peak)
            return HybridLogGamma.scene(display, weights).map(HybridLogGamma.code)
        default: break
        }
        let clipped = light.map { min(max($0, 0), 1) }
        return switch self {
        case .bt709: clipped.map { pow($0, 1 / 2.4) }
        case .gamma22: clipped.map { pow($0, 1 / 2.2) }
        case .gamma28: clipped.map { pow($0, 1 / 2.8) }
        case .sRGB: clipped.map { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
        case .linear, .pq, .hlg: clipped
        }
    }
}

extension SIMD3<Double> {
    fileprivate func map(_ change: (Double) -> Double) -> SIMD3<Double> { SIMD3(change(x), change(y), change(z)) }
}

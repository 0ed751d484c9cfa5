import Glibc

/// The transfer function of ITU-R BT.2100, table 5, for a display with its nominal peak luminance.
enum HybridLogGamma {
    /// The nominal peak luminance of the display, LW, in cd/m².
    static let peak = 1000.0
    /// The system gamma: 1.2 + 0.42·log₁₀(LW / 1000).
    static let gamma = 1.2
    /// The highest code value, at 10 bits in limited range: (1019 − 64) / 876.
    static let highestCode = 955.0 / 876

    private static let a = 0.17883277
    private static let b = 1 - 4 * a
    private static let c = 0.5 - a * log(4 * a)

    /// Converts a code value to scene light, 0…1 and up to 1.64 above white: the inverse OETF.
    static func scene(_ code: Double) -> Double {
        let code = min(max(code, 0), highestCode)
        return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }

    /// Converts scene light, 0…1, to a code value: the OETF.
    static func code(_ scene: Double) -> Double {
        let scene = min(max(scene, 0), 1)
        return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : a * log(12 * scene - b) + c
    }

    /// Converts scene light to display light, relative to the peak: the OOTF.
    ///
    /// - Parameters:
    ///   - scene: linear R, G and B.
    ///   - weights: of R, G and B in luminance.
    /// - Returns: linear R, G and B of the display, 1 for its peak.
    static func display(_ scene: SIMD3<Double>, _ weights: SIMD3<Double>) -> SIMD3<Double> {
        scene * pow((scene * weights).sum(), gamma - 1)
    }

    /// Converts display light to scene light: the inverse OOTF.
    static func scene(_ display: SIMD3<Double>, _ weights: SIMD3<Double>) -> SIMD3<Double> {
        let luminance = (display * weights).sum()
        return luminance > 0 ? display * pow(luminance, 1 / gamma - 1) : SIMD3(repeating: 0)
    }
}

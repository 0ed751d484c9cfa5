import Glibc

/// The transfer function of SMPTE ST 2084 (ITU-R BT.2100, table 4): code values 0…1 and luminances 0…10 000 cd/m².
///
/// Values outside are clamped.
enum PerceptualQuantizer {
    /// The luminance of code value 1.
    static let peak = 10_000.0

    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    /// Converts a luminance in cd/m² to a code value.
    static func code(_ luminance: Double) -> Double {
        let y = pow(min(max(luminance / peak, 0), 1), m1)
        return pow((c1 + c2 * y) / (1 + c3 * y), m2)
    }

    /// Converts a code value to a luminance in cd/m².
    static func luminance(_ code: Double) -> Double {
        let power = pow(min(max(code, 0), 1), 1 / m2)
        return peak * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }
}

import Foundation
public import MediaIO

/// A second, independent conversion of every colour space to sRGB, and the distance of two colours: from the text and
/// the printed tables of the standards, with none of the library's numbers, written to be obvious.
///
/// The target is sRGB.
public enum ColorReference {
    /// ST 2084 and BT.2100, table 4: cd/m² of a code value.
    public static func pqLuminance(_ code: Double) -> Double {
        let power = pow(code, 1 / 78.84375)
        return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
    }

    /// The inverse: the code value of cd/m².
    public static func pqCode(_ luminance: Double) -> Double {
        let power = pow(luminance / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// BT.2100, table 5: scene light of a code value.
    public static func hlgScene(_ code: Double) -> Double {
        code <= 0.5 ? pow(code, 2) / 3 : (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    /// BT.2100, table 5: cd/m² of R, G and B on a display of 1000 cd/m², gamma 1.2, no black level lift.
    public static func hlgLuminance(_ code: [Double], _ weights: [Double] = [0.2627, 0.6780, 0.0593]) -> [Double] {
        let scene = code.map { hlgScene(max(0, $0)) }
        let luminance = weights[0] * scene[0] + weights[1] * scene[1] + weights[2] * scene[2]
        return scene.map { luminance == 0 ? 0 : 1000 * pow(luminance, 1.2 - 1) * $0 }
    }

    /// BT.2390-10, clause 5.4.1, for PQ: cd/m² for a target of 0 to 203 cd/m², step by step.
    ///
    /// The source's peak is MaxCLL, else the mastering display's maximum, else 1000, never below 203; its black is the
    /// mastering display's minimum.
    public static func toneMapped(_ luminance: Double, _ metadata: HDRMetadata?) -> Double {
        var peak = 1000.0
        if let metadata, metadata.maximumLuminance > 0 { peak = metadata.maximumLuminance }
        if let metadata, metadata.maximumContentLight > 0 { peak = metadata.maximumContentLight }
        let lw = pqCode(max(peak, 203))
        let lb = pqCode(metadata?.minimumLuminance ?? 0)
        // Step 1: normalise.
        let e1 = min(1, max(0, (pqCode(luminance) - lb) / (lw - lb)))
        // Step 2: the display.
        let minLum = (pqCode(0) - lb) / (lw - lb)
        let maxLum = (pqCode(203) - lb) / (lw - lb)
        // Step 3: the knee and the spline.
        let ks = 1.5 * maxLum - 0.5
        let b = minLum
        func t(_ a: Double) -> Double { (a - ks) / (1 - ks) }
        func p(_ x: Double) -> Double {
            (2 * pow(t(x), 3) - 3 * pow(t(x), 2) + 1) * ks
                + (pow(t(x), 3) - 2 * pow(t(x), 2) + t(x)) * (1 - ks)
                + (-2 * pow(t(x), 3) + 3 * pow(t(x), 2)) * maxLum
        }
        let e2 = e1 < ks || ks >= 1 ? e1 : p(e1)
        // Step 4: the black level.
        let e3 = e2 + b * pow(1 - e2, 4)
        // Step 5: back.
        let e4 = e3 * (lw - lb) + lb
        return pqLuminance(max(0, e4))
    }

    /// sRGB code values, 0…1, of R', G' and B' in PQ or HLG with the primaries of BT.2020.
    public static func sRGB(_ code: [Double], _ transfer: ColorSpace.Transfer, _ metadata: HDRMetadata?) -> [Double] {
        // BT.2407, clause 2: BT.2020 to BT.709.
        let rows = [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
        return sRGB(light(code, transfer, [0.2627, 0.6780, 0.0593], metadata), rows)
    }

    /// sRGB code values, 0…1, of R', G' and B' of any colour space, as each mode of conversion shows them.
    ///
    /// Players treat the primaries of BT.601 as those of BT.709, and BT.1886, sRGB and a gamma of 2.2 as the same.
    public static func shown(
        _ code: [Double], _ primaries: ColorSpace.Primaries, _ transfer: ColorSpace.Transfer, _ metadata: HDRMetadata?,
        _ mode: ColorConversionMode
    ) -> [Double] {
        var (primaries, transfer) = (primaries, transfer)
        if mode == .auto {
            if primaries == .bt601Lines525 || primaries == .bt601Lines625 { primaries = .bt709 }
            if transfer == .bt709 || transfer == .gamma22 { transfer = .sRGB }
        }
        if mode == .off || primaries == .bt709 && transfer == .sRGB { return code.map { min(1, max(0, $0)) } }
        return sRGB(
            light(code, transfer, PrimariesReference.weights(primaries), metadata),
            PrimariesReference.rowsToBT709(primaries))
    }

    /// Light, with 1 for SDR white of 203 cd/m², which is also the maximum of tone-mapped HDR.
    ///
    /// HLG is shown as by a display of 0 to 1000 cd/m², so it is tone mapped from there and not from what it was
    /// mastered on.
    private static func light(
        _ code: [Double], _ transfer: ColorSpace.Transfer, _ weights: [Double], _ metadata: HDRMetadata?
    ) -> [Double] {
        switch transfer {
        case .bt709: return code.map { pow(max(0, $0), 2.4) }
        case .gamma22: return code.map { pow(max(0, $0), 2.2) }
        case .gamma28: return code.map { pow(max(0, $0), 2.8) }
        case .sRGB: return code.map { $0 <= 0.04045 ? max(0, $0) / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        case .linear: return code
        case .pq, .hlg: break
        }
        let luminances =
            transfer == .hlg ? hlgLuminance(code, weights) : code.map { pqLuminance(min(1, max(0, $0))) }
        let brightest = luminances.max() ?? 0
        let scale = brightest == 0 ? 0 : toneMapped(brightest, transfer == .hlg ? nil : metadata) / brightest
        return luminances.map { $0 * scale / 203 }
    }

    private static func sRGB(_ light: [Double], _ rows: [[Double]]) -> [Double] {
        PrimariesReference.product(rows, light).map {
            let light = min(1, max(0, $0))
            return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        }
    }

    /// BT.2124: ΔE ITP of two triples of linear R, G and B of BT.2020 in cd/m².
    public static func deltaEITP(_ one: [Double], _ two: [Double]) -> Double {
        let (a, b) = (itp(one), itp(two))
        return 720 * sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2))
    }

    /// cd/m² in the primaries of BT.2020 of sRGB code values on a screen whose white has 203 cd/m².
    public static func bt2020Luminances(sRGB code: [Double]) -> [Double] {
        let light = code.map { 203 * ($0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)) }
        // BT.2087, M2: BT.709 to BT.2020.
        let rows = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
        return rows.map { $0[0] * light[0] + $0[1] * light[1] + $0[2] * light[2] }
    }

    /// I, T and P of BT.2124, annex 1, by BT.2100, table 6.
    public static func itp(_ luminances: [Double]) -> [Double] {
        let (r, g, b) = (luminances[0], luminances[1], luminances[2])
        let l = pqCode((1688 * r + 2146 * g + 262 * b) / 4096)
        let m = pqCode((683 * r + 2951 * g + 462 * b) / 4096)
        let s = pqCode((99 * r + 309 * g + 3688 * b) / 4096)
        let ct = (6610 * l - 13613 * m + 7003 * s) / 4096
        let cp = (17933 * l - 17390 * m - 543 * s) / 4096
        return [0.5 * l + 0.5 * m, 0.5 * ct, cp]
    }

    /// Code values to try: dense ramps of gray, of saturated and of pale colours, and a cube of 17 a side.
    public static let sweep: [[Double]] = {
        let corners: [[Double]] = [
            [1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0.7, 0.5], [0.4, 0.6, 1],
        ]
        let ramps = corners.flatMap { corner in (0...1023).map { step in corner.map { $0 * Double(step) / 1023 } } }
        let cube = (0..<17 * 17 * 17).map { [$0 % 17, $0 / 17 % 17, $0 / 289].map { Double($0) / 16 } }
        return ramps + cube
    }()

    /// Metadata of streams: none, the usual values, the extremes, and less than the target can show.
    public static let metadata: [HDRMetadata?] = [
        nil, HDRMetadata(maximumLuminance: 1000, minimumLuminance: 0.0001),
        HDRMetadata(maximumLuminance: 4000, minimumLuminance: 0.005),
        HDRMetadata(maximumLuminance: 4000, minimumLuminance: 0.005, maximumContentLight: 1720),
        HDRMetadata(maximumLuminance: 10_000, minimumLuminance: 0.05), HDRMetadata(maximumContentLight: 300),
        HDRMetadata(maximumContentLight: 100),
    ]
}

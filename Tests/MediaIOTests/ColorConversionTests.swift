import MediaIO
import TestSupport
import Testing

/// Which pictures are converted, points that the standards name, and the whole way against ``ColorReference``.
@Suite struct ColorConversionTests {
    typealias Transfer = ColorSpace.Transfer
    typealias Primaries = ColorSpace.Primaries

    struct Need: CustomTestStringConvertible, Sendable {
        let primaries: Primaries
        let transfer: Transfer
        var target = ColorTarget.sRGB
        var mode = ColorConversionMode.auto
        /// Source primaries and transfer function of the conversion, or nothing.
        let expected: ColorTarget?

        var testDescription: String { "\(primaries) \(transfer) to \(target) \(mode)" }
    }

    @Test(arguments: [
        Need(primaries: .bt709, transfer: .bt709, expected: nil),
        Need(primaries: .bt601Lines525, transfer: .bt709, expected: nil),
        Need(primaries: .bt601Lines625, transfer: .gamma22, expected: nil),
        Need(primaries: .bt709, transfer: .sRGB, expected: nil),
        Need(
            primaries: .bt709, transfer: .bt709, target: ColorTarget(primaries: .bt601Lines525, transfer: .gamma22),
            expected: nil),
        Need(primaries: .displayP3, transfer: .sRGB, target: ColorTarget(primaries: .displayP3), expected: nil),
        Need(
            primaries: .bt2020, transfer: .bt709, expected: ColorTarget(primaries: .bt2020, transfer: .sRGB)),
        Need(
            primaries: .displayP3, transfer: .gamma22, expected: ColorTarget(primaries: .displayP3, transfer: .sRGB)),
        Need(primaries: .adobe, transfer: .gamma28, expected: ColorTarget(primaries: .adobe, transfer: .gamma28)),
        Need(primaries: .bt709, transfer: .gamma28, expected: ColorTarget(primaries: .bt709, transfer: .gamma28)),
        Need(
            primaries: .bt601Lines525, transfer: .linear, expected: ColorTarget(primaries: .bt709, transfer: .linear)),
        Need(primaries: .bt2020, transfer: .pq, expected: ColorTarget(primaries: .bt2020, transfer: .pq)),
        Need(primaries: .bt709, transfer: .hlg, expected: ColorTarget(primaries: .bt709, transfer: .hlg)),
        Need(
            primaries: .bt601Lines625, transfer: .bt709, target: ColorTarget(primaries: .displayP3),
            expected: ColorTarget(primaries: .bt709, transfer: .sRGB)),
        Need(
            primaries: .bt709, transfer: .bt709, target: ColorTarget(primaries: .bt2020, transfer: .pq),
            expected: ColorTarget(primaries: .bt709, transfer: .bt709)),
        Need(
            primaries: .bt709, transfer: .bt709, mode: .exact,
            expected: ColorTarget(primaries: .bt709, transfer: .bt709)),
        Need(
            primaries: .bt601Lines525, transfer: .sRGB, mode: .exact,
            expected: ColorTarget(primaries: .bt601Lines525, transfer: .sRGB)),
        Need(primaries: .bt709, transfer: .sRGB, mode: .exact, expected: nil),
        Need(primaries: .bt2020, transfer: .pq, mode: .off, expected: nil),
    ]) func whatIsConverted(_ test: Need) {
        let space = ColorSpace(matrix: .bt709, range: .full, primaries: test.primaries, transfer: test.transfer)
        let conversion = ColorConversion.needed(from: space, to: test.target, mode: test.mode)
        let expected = test.expected.map {
            ColorConversion(primaries: $0.primaries, transfer: $0.transfer, target: test.target)
        }
        #expect(conversion == expected)
    }

    struct Point: CustomTestStringConvertible, Sendable {
        let transfer: Transfer
        let code: Double
        /// In cd/m², where white has 203.
        let luminance: Double

        var testDescription: String { "\(transfer) \(code)" }
    }

    /// ST 2084 and BT.2408, tables 1 and 2, to four digits of the code value; BT.2100 for HLG; powers for the rest.
    @Test(arguments: [
        Point(transfer: .pq, code: 0, luminance: 0), Point(transfer: .pq, code: 0.1499, luminance: 1),
        Point(transfer: .pq, code: 0.2997, luminance: 10), Point(transfer: .pq, code: 0.5081, luminance: 100),
        Point(transfer: .pq, code: 0.5807, luminance: 203), Point(transfer: .pq, code: 0.7518, luminance: 1000),
        Point(transfer: .pq, code: 0.9026, luminance: 4000), Point(transfer: .pq, code: 1, luminance: 10_000),
        Point(transfer: .hlg, code: 0, luminance: 0), Point(transfer: .hlg, code: 0.75, luminance: 203),
        // Scene light of 1/12 to the power of the system gamma, 1.2.
        Point(transfer: .hlg, code: 0.5, luminance: 50.697), Point(transfer: .hlg, code: 1, luminance: 1000),
        Point(transfer: .bt709, code: 1, luminance: 203), Point(transfer: .bt709, code: 0.5, luminance: 38.461),
        Point(transfer: .gamma22, code: 0.5, luminance: 44.181),
        Point(transfer: .gamma28, code: 0.5, luminance: 29.149),
        Point(transfer: .sRGB, code: 0.5, luminance: 43.450), Point(transfer: .sRGB, code: 0.04, luminance: 0.6285),
        Point(transfer: .linear, code: 0.25, luminance: 50.75), Point(transfer: .linear, code: -0.5, luminance: -101.5),
        Point(transfer: .bt709, code: -0.1, luminance: 0), Point(transfer: .sRGB, code: -0.1, luminance: 0),
        Point(transfer: .pq, code: -0.1, luminance: 0), Point(transfer: .hlg, code: -0.1, luminance: 0),
    ]) func knownPoints(_ point: Point) {
        let conversion = ColorConversion(primaries: .bt2020, transfer: point.transfer)
        let light = conversion.linearLight(SIMD3(repeating: point.code)) * ColorTarget.whiteLuminance
        for part in 0..<3 { #expect(abs(light[part] - point.luminance) <= 2e-3 * abs(point.luminance)) }
    }

    @Test(arguments: [Transfer.pq, .hlg], ColorReference.metadata)
    func agreesWithTheStandards(_ transfer: Transfer, _ metadata: HDRMetadata?) {
        let conversion = ColorConversion(primaries: .bt2020, transfer: transfer)
        let curve = ToneCurve(metadata, of: transfer)
        var worst = LargestError()
        for code in ColorReference.sweep {
            let shown = conversion(SIMD3(code[0], code[1], code[2]), curve)
            let expected = ColorReference.sRGB(code, transfer, metadata)
            worst.add(
                ColorReference.deltaEITP(
                    ColorReference.bt2020Luminances(sRGB: [shown.x, shown.y, shown.z]),
                    ColorReference.bt2020Luminances(sRGB: expected)))
        }
        #expect(worst.value <= 0.1)
    }

    /// Code values 0…1 come back, whatever primaries lie between, as long as those are wider.
    @Test(arguments: Transfer.allCases, Transfer.allCases)
    func roundTrips(_ transfer: Transfer, _ between: Transfer) {
        // PQ reaches further than HLG, and both further than the rest; tone mapping does not go back.
        let reach: [Transfer: Int] = [.hlg: 1, .pq: 2]
        guard reach[transfer, default: 0] <= reach[between, default: 0] else { return }
        let wide = ColorTarget(primaries: .bt2020, transfer: between)
        let there = ColorConversion(primaries: .bt709, transfer: transfer, target: wide)
        let back = ColorConversion(
            primaries: .bt2020, transfer: between, target: ColorTarget(primaries: .bt709, transfer: transfer))
        guard !back.hasToneCurve else { return }
        for code in ColorReference.sweep.indices where code % 37 == 0 {
            let value = SIMD3(ColorReference.sweep[code])
            let difference = back(there(value)) - value
            #expect((difference * difference).sum() < 1e-10, "\(value)")
        }
    }

    @Test(arguments: Primaries.allCases, Transfer.allCases)
    func nothingIsEverOutside(_ primaries: Primaries, _ transfer: Transfer) {
        let odd = [-65504.0, -1, -1e-7, 0, 1e-38, 1e-7, 0.5, 1, 1.0001, 2, 65504]
        for target in Transfer.allCases {
            let conversion = ColorConversion(
                primaries: primaries, transfer: transfer, target: ColorTarget(primaries: .dciP3, transfer: target))
            #expect(conversion.hasToneCurve == (transfer.isHDR && !target.isHDR))
            for red in odd {
                for green in odd {
                    let shown = conversion(SIMD3(red, green, 0.25))
                    for part in 0..<3 { #expect((0...1).contains(shown[part]), "\(red) \(green) to \(target)") }
                }
            }
        }
    }

    /// The reference's own measure: gray has no colour, and one code value of 10 bits is less than 1.
    @Test func theMeasureIsSound() {
        let gray = ColorReference.itp([100, 100, 100])
        #expect(abs(gray[0] - 0.5081) < 1e-4 && abs(gray[1]) < 1e-12 && abs(gray[2]) < 1e-12)
        let next = ColorReference.pqLuminance(ColorReference.pqCode(100) + 1.0 / 720)
        let difference = ColorReference.deltaEITP([100, 100, 100], [next, next, next])
        #expect(abs(difference - 1) < 1e-9)
    }
}

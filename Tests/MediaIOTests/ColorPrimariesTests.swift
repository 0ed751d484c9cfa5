import MediaIO
import Testing

/// The matrices of primaries against those that standards and specifications print.
@Suite struct ColorPrimariesTests {
    typealias Rows = [[Double]]

    struct Printed: CustomTestStringConvertible, Sendable {
        let primaries: ColorSpace.Primaries
        let rows: Rows
        var tolerance = 2e-4

        var testDescription: String { "\(primaries)" }
    }

    /// The CSS Color 4 specification's sample code; SMPTE-C, PAL and DCI as usually tabulated, the first two for a
    /// white that is rounded differently.
    @Test(arguments: [
        Printed(
            primaries: .bt709,
            rows: [
                [0.4123908, 0.3575843, 0.1804808], [0.2126390, 0.7151687, 0.0721923],
                [0.0193308, 0.1191948, 0.9505322],
            ]
        ),
        Printed(
            primaries: .bt2020,
            rows: [[0.6369580, 0.1446169, 0.1688810], [0.2627002, 0.6779981, 0.0593017], [0, 0.0280727, 1.0609851]]),
        Printed(
            primaries: .displayP3,
            rows: [[0.4865709, 0.2656677, 0.1982173], [0.2289746, 0.6917385, 0.0792869], [0, 0.0451134, 1.0439444]]),
        Printed(
            primaries: .dciP3,
            rows: [[0.4451698, 0.2771344, 0.1722827], [0.2094917, 0.7215953, 0.0689131], [0, 0.0470606, 0.9073554]]),
        Printed(
            primaries: .adobe,
            rows: [
                [0.5766690, 0.1855582, 0.1882286], [0.2973450, 0.6273636, 0.0752915],
                [0.0270314, 0.0706889, 0.9913375],
            ]
        ),
        Printed(
            primaries: .bt601Lines525,
            rows: [
                [0.3935891, 0.3652497, 0.1916313], [0.2124132, 0.7010437, 0.0865432],
                [0.0187423, 0.1119313, 0.9581563],
            ],
            tolerance: 5e-4),
        Printed(
            primaries: .bt601Lines625,
            rows: [
                [0.4306190, 0.3415419, 0.1783091], [0.2220379, 0.7066384, 0.0713236],
                [0.0201853, 0.1295504, 0.9390944],
            ],
            tolerance: 5e-4),
    ]) func toXYZ(_ printed: Printed) {
        #expect(distance(printed.primaries.chromaticities.toXYZ, printed.rows) < printed.tolerance)
    }

    @Test func theTwoOfITU() {
        let narrow = ColorSpace.Primaries.bt709.chromaticities
        let wide = ColorSpace.Primaries.bt2020.chromaticities
        // BT.2087, M2, and BT.2407, clause 2: four digits.
        let widening = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
        let narrowing = [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
        #expect(distance(narrow.conversion(to: wide), widening) < 6e-5)
        #expect(distance(wide.conversion(to: narrow), narrowing) < 6e-5)
    }

    /// Lindbloom's table: from D65 to D50 after Bradford.
    @Test func adaptation() {
        let day = Chromaticities(
            red: SIMD2(0.64, 0.33), green: SIMD2(0.3, 0.6), blue: SIMD2(0.15, 0.06), white: SIMD2(0.312727, 0.329023))
        var evening = day
        evening.white = SIMD2(0.345669, 0.358496)
        let adaptation = evening.toXYZ * day.conversion(to: evening) * day.toXYZ.inverse
        let printed = [
            [1.0478112, 0.0228866, -0.0501270], [0.0295424, 0.9904844, -0.0170491], [-0.0092345, 0.0150436, 0.7521316],
        ]
        #expect(distance(adaptation, printed) < 2e-5)
    }

    @Test(arguments: ColorSpace.Primaries.allCases, ColorSpace.Primaries.allCases)
    func whiteStaysWhiteAndBackIsBack(_ one: ColorSpace.Primaries, _ other: ColorSpace.Primaries) {
        let there = one.chromaticities.conversion(to: other.chromaticities)
        let back = other.chromaticities.conversion(to: one.chromaticities)
        let white = there(SIMD3(1, 1, 1))
        #expect(((white - 1) * (white - 1)).sum() < 1e-20)
        #expect(distance(back * there, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) < 1e-12)
        let matrix = ColorConversion(primaries: one, transfer: .linear, target: ColorTarget(primaries: other)).matrix
        #expect((matrix == .identity) == (one == other))
    }

    private func distance(_ matrix: ColorMatrix, _ rows: Rows) -> Double {
        zip([matrix.red, matrix.green, matrix.blue], rows).flatMap { row, printed in
            (0..<3).map { abs(row[$0] - printed[$0]) }
        }.max() ?? .infinity
    }
}

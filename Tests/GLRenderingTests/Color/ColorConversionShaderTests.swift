import MediaIO
import TestSupport
import Testing

/// The GLSL of conversions against the standards, and against the same conversion in `Double`.
@Suite(.renderTurn) struct ColorConversionShaderTests {
    typealias Transfer = ColorSpace.Transfer
    typealias Primaries = ColorSpace.Primaries

    /// The bound that counts: ΔE ITP 1 of the written formula, from end to end.
    @Test(arguments: [Transfer.pq, .hlg], ColorReference.metadata)
    func agreesWithTheStandards(_ transfer: Transfer, _ metadata: HDRMetadata?) throws {
        let conversion = ColorConversion(primaries: .bt2020, transfer: transfer)
        let values = ColorReference.sweep.map { SIMD3<Float>(SIMD3($0)) }
        let shown = try ConversionProbe().shown(values, conversion, ToneCurve(metadata, of: transfer))
        var worst = LargestError()
        for (value, drawn) in zip(values, shown) {
            let expected = ColorReference.sRGB((0..<3).map { Double(value[$0]) }, transfer, metadata)
            worst.add(
                ColorReference.deltaEITP(
                    ColorReference.bt2020Luminances(sRGB: (0..<3).map { Double(drawn[$0]) }),
                    ColorReference.bt2020Luminances(sRGB: expected)))
        }
        #expect(worst.value <= 1)
    }

    /// Every pair of transfer functions compiles and does what ``ColorConversion`` does.
    @Test(arguments: Transfer.allCases, Transfer.allCases)
    func everyTransferFunction(_ source: Transfer, _ target: Transfer) throws {
        try compare(
            ColorConversion(
                primaries: .displayP3, transfer: source, target: ColorTarget(primaries: .bt709, transfer: target)))
    }

    /// Every pair of primaries likewise.
    @Test(arguments: Primaries.allCases)
    func everyPairOfPrimaries(_ source: Primaries) throws {
        for target in Primaries.allCases {
            try compare(
                ColorConversion(
                    primaries: source, transfer: .hlg, target: ColorTarget(primaries: target, transfer: .bt709)))
        }
    }

    /// A picture scaled in linear light is otherwise unchanged, at the accuracy of 10 bits and more.
    @Test(arguments: Transfer.allCases) func theRoundTripReturns(_ transfer: Transfer) throws {
        let conversion = ColorConversion(
            primaries: .bt709, transfer: transfer, target: ColorTarget(primaries: .bt709, transfer: transfer))
        let values = ColorReference.sweep.map { SIMD3<Float>(SIMD3($0)) }
        for (value, drawn) in zip(values, try ConversionProbe().shown(values, conversion)) {
            let difference = drawn - value
            #expect((difference * difference).sum().squareRoot() < 0.25 / 1023, "\(value)")
        }
    }

    @Test(arguments: Transfer.allCases, Transfer.allCases)
    func nothingIsEverOutside(_ source: Transfer, _ target: Transfer) throws {
        let odd: [Float] = [-65504, -1, -1e-7, 0, 1e-38, 1e-7, 0.5, 1, 1.0001, 2, 65504]
        let values = odd.flatMap { red in odd.flatMap { green in odd.map { SIMD3(red, green, $0) } } }
        let conversion = ColorConversion(
            primaries: .bt2020, transfer: source, target: ColorTarget(primaries: .bt709, transfer: target))
        for (value, drawn) in zip(values, try ConversionProbe().shown(values, conversion)) {
            for part in 0..<3 { #expect((-1e-6...1.00001).contains(drawn[part]), "\(value) gives \(drawn)") }
        }
    }

    private func compare(_ conversion: ColorConversion) throws {
        let values = stride(from: 0, to: ColorReference.sweep.count, by: 5).map {
            SIMD3<Float>(SIMD3(ColorReference.sweep[$0]) * 1.1 - 0.05)
        }
        var worst = LargestError()
        for (value, drawn) in zip(values, try ConversionProbe().shown(values, conversion)) {
            let difference = SIMD3<Double>(drawn) - conversion(SIMD3<Double>(value))
            for part in 0..<3 { worst.add(difference[part]) }
        }
        #expect(worst.value < 0.25 / 255)
    }
}

import MediaIO
import TestSupport
import Testing
import VideoWall

/// The look-up table: without one, nothing changes (see ``ColorEffectTests``).
@Suite(.everyRenderer) struct ColorLookupTests {
    typealias Color = SIMD3<Double>

    /// Two entries a side that turn R', G', B' into B', R', G': interpolation between them is exact.
    private static let turned = LookupTable(
        name: "turned.cube", size: 2, isCube: true,
        colors: (0..<8).map { SIMD3(Float($0 >> 2), Float($0 & 1), Float($0 >> 1 & 1)) })
    /// Another slope for each component.
    private static let slopes = LookupTable(
        name: "slopes.cube", size: 3, isCube: false, colors: [SIMD3(0, 1, 0.2), SIMD3(0.5, 0.5, 0.3), SIMD3(1, 0, 0.4)])

    @Test(arguments: [1, 0.25]) func cubeIsApplied(_ amount: Double) throws {
        try check(Self.turned, amount) { Color($0.z, $0.x, $0.y) }
    }

    @Test(arguments: [1, 0.25]) func curvesAreApplied(_ amount: Double) throws {
        try check(Self.slopes, amount) { Color($0.x, 1 - $0.y, 0.2 + 0.2 * $0.z) }
    }

    private func check(_ table: LookupTable, _ amount: Double, _ expected: (Color) -> Color) throws {
        let picture = ColorPicture()
        let drawn = try picture.drawn(with: "lut", ["table": .lut(table), "amount": .float(Float(amount))])
        var worst = LargestError()
        for (drawn, color) in zip(drawn, picture.colors) {
            let exact = color + amount * (expected(color) - color)
            for part in 0..<3 { worst.add(drawn[part] - exact[part]) }
        }
        #expect(worst.value * 255 <= 1)
    }
}

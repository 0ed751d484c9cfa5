import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

/// Colour effects that depend on the place: vignette and zebra.
@Suite(.everyRenderer) struct ColorPlaceTests {
    typealias Color = SIMD3<Double>

    @Test(arguments: [(0.7, 0.4, 0.6, 0.5, 0.5), (1, 0, 1, 0.25, 0.75), (0.5, 0.9, 0.01, 0.5, 0.5)])
    func vignetteIsASmoothSlope(
        _ row: (amount: Double, radius: Double, softness: Double, x: Double, y: Double)
    ) throws {
        let picture = ColorPicture()
        // A wide tile: the slope is round in pixels.
        let size = VideoSize(width: 128, height: 64)
        let drawn = try picture.drawn(
            with: "vignette",
            [
                "amount": .float(Float(row.amount)), "radius": .float(Float(row.radius)),
                "softness": .float(Float(row.softness)), "center": .point(SIMD2(Float(row.x), Float(row.y))),
            ], in: size)
        var worst = LargestError()
        for y in 0..<64 {
            for x in 0..<128 {
                let distance = hypot(Double(x) + 0.5 - row.x * 128, Double(y) + 0.5 - row.y * 64)
                let share = min(1, max(0, (distance / hypot(64, 32) - row.radius) / row.softness))
                let light = 1 - row.amount * share * share * (3 - 2 * share)
                let exact = picture.colors[y * 64 + x / 2] * light
                for part in 0..<3 { worst.add(drawn[y * 128 + x][part] - exact[part]) }
            }
        }
        #expect(worst.value * 255 <= 1)
    }

    @Test(arguments: [(0.7, 0.8, 4), (0, 1, 3), (0.95, 1, 1)])
    func zebraIsWhereLumaIsInRange(_ row: (low: Double, high: Double, width: Int)) throws {
        let picture = ColorPicture()
        let drawn = try picture.drawn(
            with: "zebra",
            [
                "low": .float(Float(row.low)), "high": .float(Float(row.high)), "width": .int(row.width),
                "stripe": .color(SIMD3(1, 0, 0.5)),
            ])
        let stripe = Color(1, 0, Double(Float(0.5)))
        var (worst, stripes) = (LargestError(), 0)
        for (index, color) in picture.colors.enumerated() {
            let luma = Rec709(color).y
            let isInRange = luma >= row.low - 0.002 && luma <= row.high + 0.002
            let isStriped = (index % 64 + index / 64) / row.width % 2 == 1
            let exact = isInRange && isStriped ? stripe : color
            if exact == stripe { stripes += 1 }
            for part in 0..<3 { worst.add(drawn[index][part] - exact[part]) }
        }
        #expect(worst.value * 255 <= 1 && stripes > 0)
    }
}

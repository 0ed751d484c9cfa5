import Foundation
import Testing

/// Effects that move pixels, or show two pictures, against plain arithmetic.
@Suite(.everyRenderer) struct SpatialGeometryTests {
    @Test(arguments: ["left", "right", "top", "bottom", "quarter"]) func halvesAreMirrored(_ shown: String) throws {
        for (width, height) in [(64, 48), (61, 47)] {
            let wall = try SpatialWall("mirror", width, height)
            try wall.set("show", shown)
            let picture = SpatialPicture.noise(width, height)
            // Reads are in the middle of pixels, but for rounding.
            #expect(try wall.draw(picture).difference(from: picture.mirrored(shown)) <= 1)
        }
    }

    @Test(arguments: [
        (6, 0, SIMD2(0.5, 0.5)), (5, 33.0, SIMD2(0.3, 0.6)), (1, 90, SIMD2(0.5, 0.5)), (24, 200, SIMD2(0, 1)),
    ]) func wedgesAreMirrored(_ segments: Int, _ angle: Double, _ center: SIMD2<Double>) throws {
        let wall = try SpatialWall("kaleidoscope", 80, 60)
        try wall.set("segments", segments)
        try wall.set("angle", angle)
        try wall.set("center", center)
        let picture = SpatialPicture.waves(80, 60)
        let expected = picture.kaleidoscope(segments: segments, angle: angle, center: center)
        #expect(try wall.draw(picture).difference(from: expected) <= 1)
    }

    @Test(arguments: [
        (60, 0.5, "none", 0.3, 0.0), (60, 0.7, "stripes", 0.3, 0.1), (90, 1, "slots", 1, 0.3), (1080, 1, "none", 0, 0),
    ]) func tubeIsCurvedLinedAndMasked(
        _ lines: Int, _ gaps: Double, _ mask: String, _ darkness: Double, _ curvature: Double
    ) throws {
        let wall = try SpatialWall("crt", 133, 200)
        try wall.set("lines", lines)
        try wall.set("gaps", gaps)
        try wall.set("mask", mask)
        try wall.set("darkness", darkness)
        try wall.set("curvature", curvature)
        let picture = SpatialPicture.waves(133, 200)
        let expected = picture.tube(lines: lines, gaps: gaps, mask: mask, darkness: darkness, curvature: curvature)
        #expect(try wall.draw(picture).difference(from: expected) <= 1)
    }

    @Test(arguments: [(1, "absolute"), (8, "absolute"), (4, "signed")]) func differenceIsAmplified(
        _ gain: Double, _ shown: String
    ) throws {
        let wall = try SpatialWall("difference", 40, 30)
        try wall.set("gain", gain)
        try wall.set("show", shown)
        let (first, second) = (SpatialPicture.waves(40, 30), SpatialPicture.waves(40, 30, phase: 0.1))
        let drawn = try wall.draw(first, with: second)
        // What a code value's rounding in between would make, is amplified, too.
        #expect(drawn.difference(from: first.minus(second, gain: gain, isSigned: shown == "signed")) <= 1)
        let none = try wall.draw(second, with: second)
        #expect(none.difference(from: second.minus(second, gain: 1, isSigned: shown == "signed")) <= 0.25)
    }

    @Test(arguments: [(0.5, 0, 2), (0.3, 90, 0), (0.7, 37, 5), (0, 211, 16), (1, 300.0, 3.0)])
    func wipeSplitsAtItsLine(_ position: Double, _ angle: Double, _ line: Double) throws {
        let wall = try SpatialWall("wipe", 64, 44)
        try wall.set("position", position)
        try wall.set("angle", angle)
        try wall.set("line", line)
        try wall.set("tint", "#FF8000")
        let (first, second) = (SpatialPicture.noise(64, 44), SpatialPicture.waves(64, 44))
        let drawn = try wall.draw(first, with: second)
        let tint = SIMD3(1, 128.0 / 255, 0)
        let expected = first.wiped(second, position: position, angle: angle, line: line, tint: tint)
        #expect(drawn.difference(from: expected) <= 1)
        if position == 0 { #expect(drawn.difference(from: second) <= 0.25) }
        if position == 1 { #expect(drawn.difference(from: first) <= 0.25) }
    }
}

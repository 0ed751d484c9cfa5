import MediaIO
import Testing
import VideoWall

@testable import vitrail

/// What is written about the pixel under the mouse.
struct PixelInspectorTests {
    /// A sample of Y, U and V, or of R, G and B, as a renderer reads it back.
    private static func sample(_ format: PixelFormat, _ samples: SIMD4<Float>, _ color: SIMD4<Float>) -> PixelSample {
        PixelSample(tile: Wall().addTile(named: "a").id, x: 12, y: 345, format, samples: samples, color: color)
    }

    @Test("Place, format, samples by their names, and the colour that is drawn")
    func line() {
        let red = SIMD4<Float>(1, 0.1, 0.000_9, 1)
        let lines: [(PixelSample, String)] = [
            (
                Self.sample(.i420, SIMD4(81, 90, 240, 255) / 255, red),
                "12,345 · i420 Y 81 U 90 V 240 · drawn R 255 G 26 B 0"
            ),
            (
                Self.sample(.p010, SIMD4(940, 512, 64, 1023) / 1023, red),
                "12,345 · p010 Y 940 U 512 V 64 · drawn R 255 G 26 B 0"
            ),
            (Self.sample(.gray16, SIMD4(1, 0, 0, 0), red), "12,345 · gray16 Y 65535 · drawn R 255 G 26 B 0"),
            (
                Self.sample(.rgb565, SIMD4(1, 0, 0.516_129, 1), red),
                "12,345 · rgb565 R 31 G 0 B 16 · drawn R 255 G 26 B 0"
            ),
            (
                Self.sample(.rgba64f, SIMD4(0.5, 2, -0.1254, 1), SIMD4(0.5, 2, -1, 1)),
                "12,345 · rgba64f R 0.5 G 2 B -0.125 · drawn R 128 G 255 B 0"
            ),
        ]
        for (sample, expected) in lines {
            #expect(PixelInspector.line(sample) == expected)
            #expect(PixelInspector.line(sample, name: "door") == "door " + expected)
        }
    }

    @Test("Samples that are no numbers are written as they are")
    func notFinite() {
        let sample = Self.sample(.rgba64f, SIMD4(.infinity, .nan, 65_504, 1), .zero)
        #expect(PixelInspector.line(sample) == "12,345 · rgba64f R inf G nan B 65504 · drawn R 0 G 0 B 0")
    }

    @Test("Beside all frames there is nothing")
    func nothing() { #expect(PixelInspector.line(nil, name: "door") == "nothing under the mouse") }
}

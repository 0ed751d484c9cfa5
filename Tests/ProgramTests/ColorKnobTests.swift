import MediaIO
import Testing
import VideoRendering

@testable import vitrail

/// The keys that try out other colours, and what is written about them.
struct ColorKnobTests {
    static let clip = PictureColors(
        format: .i420, colorSpace: ColorSpace(matrix: .bt709, range: .limited), chromaLocation: .left)

    @Test("Matrix, range and siting go through all values and back to what the picture says")
    func cycles() {
        var override = ColorOverride()
        var said: [String] = []
        var matrices: [ColorSpace.Matrix] = []
        repeat {
            said.append(ColorKnob.matrix.turn(&override, Self.clip))
            matrices.append(override.matrix ?? .bt709)
        } while override.matrix != nil && matrices.count < 20
        // R, G and B are never subsampled.
        #expect(Set(matrices) == Set(ColorSpace.Matrix.allCases).subtracting([.rgb]))
        #expect(matrices.count == 6)
        #expect(said.first == "matrix bt2020 (the picture says bt709)")
        #expect(said.last == "matrix bt709, as the picture says")
        #expect(ColorKnob.range.turn(&override, Self.clip) == "range full (the picture says limited)")
        #expect(override == ColorOverride(range: .full))
        _ = ColorKnob.range.turn(&override, Self.clip)
        #expect(override == ColorOverride())
        for _ in ChromaLocation.allCases.dropFirst() {
            _ = ColorKnob.siting.turn(&override, Self.clip)
            #expect(override.chromaLocation != nil)
        }
        _ = ColorKnob.siting.turn(&override, Self.clip)
        #expect(override == ColorOverride())
    }

    @Test("U and V change places; all is taken back at once")
    func resets() {
        var override = ColorOverride()
        #expect(ColorKnob.chromaOrder.turn(&override, Self.clip) == "U and V swapped")
        _ = ColorKnob.matrix.turn(&override, Self.clip)
        #expect(override == ColorOverride(matrix: .bt2020, swapsChroma: true))
        #expect(
            ColorKnob.reset.turn(&override, Self.clip)
                == "as the picture says: matrix bt709, range limited, siting left")
        #expect(override == ColorOverride())
    }

    @Test(
        "What a format does not have stays as it is",
        arguments: [
            (ColorKnob.matrix, PixelFormat.rgb24), (.matrix, .gray8), (.chromaOrder, .bgra32), (.siting, .i444),
            (.siting, .rgb24), (.range, .rgb565), (.range, .rgba64f),
        ])
    func meansNothing(_ knob: ColorKnob, _ format: PixelFormat) {
        var override = ColorOverride()
        let colors = PictureColors(
            format: format, colorSpace: ColorSpace(matrix: .bt601, range: .full), chromaLocation: .left)
        #expect(knob.turn(&override, colors).hasPrefix(format.rawValue))
        #expect(override == ColorOverride())
    }

    @Test("RGB is among the matrices where chroma is not subsampled")
    func identity() {
        var override = ColorOverride(matrix: .ycgco)
        let colors = PictureColors(format: .i444, colorSpace: Self.clip.colorSpace, chromaLocation: .left)
        _ = ColorKnob.matrix.turn(&override, colors)
        #expect(override.matrix == .rgb)
    }

    @Test("Lines over the wall: statistics, a message for three seconds, the pixel")
    func overlay() {
        var overlay = WallOverlay()
        #expect(overlay.text == nil)
        let now = ContinuousClock().now
        overlay.pixel = "pixel"
        overlay.show("message", now: now)
        overlay.statistics = "statistics"
        #expect(overlay.text == "statistics\nmessage\npixel")
        overlay.expire(now: now + .seconds(2))
        #expect(overlay.text == "statistics\nmessage\npixel")
        #expect(overlay.end == now + .seconds(3))
        overlay.expire(now: now + .seconds(3))
        #expect(overlay.text == "statistics\npixel")
        #expect(overlay.end == nil)
    }
}

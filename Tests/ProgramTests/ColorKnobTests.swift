import MediaIO
import Testing
import VideoWall

@testable import vitrail

/// The keys that try out other colours, and what is written about them.
struct ColorKnobTests {
    static func frame(_ format: PixelFormat, _ space: ColorSpace) throws -> VideoFrame {
        VideoFrame(
            try PixelBuffer(format: format, size: VideoSize(width: 2, height: 2)) { _ in },
            attributes: FrameAttributes(colorSpace: space, chromaLocation: .left))
    }

    let clip: VideoFrame

    init() throws { clip = try Self.frame(.i420, ColorSpace(matrix: .bt709, range: .limited)) }

    @Test("Matrix, range and siting go through all values and back to the first")
    func cycles() {
        var override = ColorOverride()
        var said: [String] = []
        var matrices: [ColorSpace.Matrix] = []
        repeat {
            said.append(ColorKnob.matrix.turn(&override, clip))
            matrices.append(override.matrix ?? .bt709)
        } while override.matrix != nil && matrices.count < 20
        // R, G and B are never subsampled.
        #expect(Set(matrices) == Set(ColorSpace.Matrix.allCases).subtracting([.rgb]))
        #expect(matrices.count == 6)
        #expect(said.first == "matrix bt2020 (at first bt709)")
        #expect(said.last == "matrix bt709, as at first")
        #expect(ColorKnob.range.turn(&override, clip) == "range full (at first limited)")
        #expect(override == ColorOverride(range: .full))
        _ = ColorKnob.range.turn(&override, clip)
        #expect(override == ColorOverride())
        for _ in ChromaLocation.allCases.dropFirst() {
            _ = ColorKnob.siting.turn(&override, clip)
            #expect(override.chromaLocation != nil)
        }
        _ = ColorKnob.siting.turn(&override, clip)
        #expect(override == ColorOverride())
    }

    @Test("U and V are swapped; a reset restores everything")
    func resets() {
        var override = ColorOverride()
        #expect(ColorKnob.chromaOrder.turn(&override, clip) == "U and V swapped")
        _ = ColorKnob.matrix.turn(&override, clip)
        #expect(override == ColorOverride(matrix: .bt2020, swapsChroma: true))
        #expect(
            ColorKnob.reset.turn(&override, clip)
                == "as at first: matrix bt709, range limited, siting left")
        #expect(override == ColorOverride())
    }

    @Test(
        "Settings that a format does not have stay unchanged",
        arguments: [
            (ColorKnob.matrix, PixelFormat.rgb24), (.matrix, .gray8), (.chromaOrder, .bgra32), (.siting, .i444),
            (.siting, .rgb24), (.range, .rgb565),
        ])
    func meansNothing(_ knob: ColorKnob, _ format: PixelFormat) throws {
        var override = ColorOverride()
        let frame = try Self.frame(format, ColorSpace(matrix: .bt601, range: .full))
        #expect(knob.turn(&override, frame).hasPrefix(format.rawValue))
        #expect(override == ColorOverride())
    }

    @Test("Floats have both ranges")
    func floats() throws {
        var override = ColorOverride()
        let frame = try Self.frame(.rgba64f, ColorSpace(matrix: .rgb, range: .full, transfer: .linear))
        #expect(ColorKnob.range.turn(&override, frame) == "range limited (at first full)")
        #expect(override == ColorOverride(range: .limited))
    }

    @Test("RGB is among the matrices where chroma is not subsampled")
    func identity() throws {
        var override = ColorOverride(matrix: .ycgco)
        let frame = try Self.frame(.i444, clip.colorSpace)
        _ = ColorKnob.matrix.turn(&override, frame)
        #expect(override.matrix == .rgb)
    }
}

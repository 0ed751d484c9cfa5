import MediaIO
import TestSupport
import Testing
import VideoWall

/// Plain luma: the frame's own Y' with its range expanded, whatever its matrix.
@Suite(.everyRenderer) struct ColorPlainLumaTests {
    static let size = VideoSize(width: 36, height: 24)
    static let formats: [PixelFormat] = [.i420, .nv12, .yuyv, .i410, .p010, .v210, .gray8, .gray10]

    @Test(arguments: formats, ColorSpace.Range.allCases)
    func isTheFramesOwnLuma(_ format: PixelFormat, _ range: ColorSpace.Range) throws {
        let picture = TestPicture.noise(format, Self.size)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        let effects = try ColorPicture.chain([("plain-luma", [:])])
        var worst = LargestError()
        for matrix in [ColorSpace.Matrix.bt601, .bt709, .bt2020, .ycgco] {
            let attributes = FrameAttributes(colorSpace: ColorSpace(matrix: matrix, range: range))
            let drawn = try wall.floats(of: VideoFrame(picture.buffer(), attributes: attributes), Self.size) {
                $0.effects = effects
            }
            let converter = ReferenceConverter(matrix: matrix, range: range, depth: format.bits("Y"))
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    let exact = min(1, max(0, converter.level(Double(picture.value("Y", x, y)))))
                    for value in drawn[y * Self.size.width + x] { worst.add(value - exact) }
                }
            }
        }
        #expect(worst.value * 255 <= 1)
    }

    /// The picture without an effect, of a frame whose chroma is neutral.
    @Test(arguments: ColorSpace.Range.allCases) func isThePictureWithoutChroma(_ range: ColorSpace.Range) throws {
        func frame(_ hasChroma: Bool) throws -> VideoFrame {
            let noise = TestPicture.noise(.i420, Self.size)
            let picture = TestPicture(format: .i420, size: Self.size) { letter, x, y in
                letter == "Y" || hasChroma ? noise.value(letter, x, y) : 128
            }
            return try VideoFrame(
                picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt601, range: range)))
        }
        let wall = try TestWall()
        let effects = try ColorPicture.chain([("plain-luma", [:])])
        let plain = try wall.floats(of: frame(false), Self.size)
        let drawn = try wall.floats(of: frame(true), Self.size) { $0.effects = effects }
        var worst = LargestError()
        for (one, other) in zip(plain, drawn) {
            for part in 0..<3 { worst.add(min(1, max(0, one[part])) - other[part]) }
        }
        #expect(worst.value * 255 <= 1)
    }

    /// Of an RGB frame, the luma that grayscale shows.
    @Test func ofRGBIsRec709() throws {
        let picture = ColorPicture()
        var worst = LargestError()
        for (drawn, color) in zip(try picture.drawn(with: "plain-luma"), picture.colors) {
            for part in 0..<3 { worst.add(drawn[part] - Rec709(color).y) }
        }
        #expect(worst.value * 255 <= 1)
    }
}

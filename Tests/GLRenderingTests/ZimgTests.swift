import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

/// The GPU against zimg, at one source pixel to one target pixel, with bilinear chroma.
///
/// Every YCbCr format takes part that FFmpeg's `zscale` takes: gray formats do not, nor 4:4:0 of more than 8 bits, which is in
/// ``SitingTests``. Nor does the matrix `rgb`, which zimg does not take for planes called Y, Cb and Cr.
@Suite(.everyRenderer) struct ZimgTests {
    static let formats = PixelFormat.allCases.filter { $0.has("U") && $0 != .i440p10 && $0 != .i440p12 }
    static let sizes = [VideoSize(width: 32, height: 16), VideoSize(width: 35, height: 23)]
    static let matrices = ColorSpace.Matrix.allCases.filter { $0 != .rgb }
    /// Formats with every matrix in both ranges.
    static let thorough: Set<PixelFormat> = [.i420, .p010]

    /// All six sitings; a format's matrices and ranges are others than the next one's, since each costs a program.
    static func meanings(_ format: PixelFormat) -> [ZimgConverter.Meaning] {
        let first = formats.firstIndex(of: format) ?? 0
        let spaces =
            thorough.contains(format)
            ? matrices.flatMap { matrix in ColorSpace.Range.allCases.map { (matrix, $0) } }
            : [(matrices[first % matrices.count], .limited), (matrices[(first / 2 + 1) % matrices.count], .full)]
        let count = max(spaces.count, format.sharing == (1, 1) ? 1 : ChromaLocation.allCases.count)
        return (0..<count).map { index in
            let (matrix, range) = spaces[index % spaces.count]
            return ZimgConverter.Meaning(
                matrix: matrix, range: range, location: ChromaLocation.allCases[index % ChromaLocation.allCases.count])
        }
    }

    /// Slopes with mild noise on them, as pictures have; opaque.
    static func picture(_ format: PixelFormat, _ size: VideoSize) -> TestPicture {
        let noise = TestPicture.noise(format, size)
        return TestPicture(format: format, size: size) { letter, x, y in
            let most = (1 << format.bits(letter)) - 1
            let slope =
                switch letter {
                case "Y": 0.3 + 0.012 * Double(x) + 0.006 * Double(y)
                case "U": 0.65 - 0.02 * Double(x) + 0.005 * Double(y)
                default: 0.35 + 0.007 * Double(x) + 0.018 * Double(y)
                }
            let grain = Double(noise.value(letter, x, y)) / Double(most) - 0.5
            return letter == "A" ? most : Int((min(1, max(0, slope + 0.05 * grain)) * Double(most)).rounded())
        }
    }

    @Test(arguments: formats) func agreesWithZimg(_ format: PixelFormat) throws {
        let pictures = Self.sizes.map { Self.picture(format, $0) }
        let meanings = Self.meanings(format)
        let reference = try ZimgConverter.colors(of: pictures, meanings)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for (picture, colors) in zip(pictures, reference) {
            let buffer = try picture.buffer()
            for (meaning, expected) in zip(meanings, colors) {
                let frame = VideoFrame(
                    buffer,
                    attributes: FrameAttributes(
                        colorSpace: ColorSpace(matrix: meaning.matrix, range: meaning.range),
                        chromaLocation: meaning.location))
                let drawn = try wall.floats(of: frame, picture.size, filter: .bilinear)
                var worst = LargestError()
                for (pixel, color) in zip(drawn, expected) {
                    for (value, other) in zip(pixel, color) {
                        worst.add(drawn: value, exact: other / 255)
                    }
                }
                // A GPU may weigh 8-bit chroma in fewer bits than zimg does; where nothing is interpolated there is no excuse.
                let isFiltered = format.layout.depth == 8 && format.layout.isSubsampled
                #expect(worst.value * 255 <= (isFiltered ? 0.3 : 0.01), "\(picture.size) \(meaning)")
            }
        }
    }
}

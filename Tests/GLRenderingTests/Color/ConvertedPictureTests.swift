import MediaIO
import TestSupport
import Testing
import VideoWall

/// Converted pictures on a wall, as streams are drawn, against the standards: every primaries and transfer function, PQ and
/// HLG with and without metadata, each mode of conversion.
@Suite(.everyRenderer) struct ConvertedPictureTests {
    typealias Transfer = ColorSpace.Transfer
    typealias Primaries = ColorSpace.Primaries

    /// A cube of R, G and B, 16 code values a side.
    private let cube = TestPicture(format: .gbrp16, size: VideoSize(width: 64, height: 64)) { letter, x, y in
        let index = y * 64 + x
        return (letter == "R" ? index % 16 : letter == "G" ? index / 16 % 16 : index / 256) * 4369
    }

    @Test(arguments: Transfer.allCases) func everyPrimariesInEveryMode(_ transfer: Transfer) throws {
        let wall = try TestWall()
        let buffer = try cube.buffer()
        for primaries in Primaries.allCases {
            let space = ColorSpace(matrix: .rgb, range: .full, primaries: primaries, transfer: transfer)
            let frame = VideoFrame(buffer, attributes: FrameAttributes(colorSpace: space))
            for mode in ColorConversionMode.allCases {
                wall.wall.colorConversion = mode
                let drawn = try wall.floats(of: frame, cube.size)
                var worst = LargestError()
                // Every 29th pixel: they meet all levels of each component.
                for index in stride(from: 0, to: drawn.count, by: 29) {
                    let code = [index % 16, index / 16 % 16, index / 256].map { Double($0) / 15 }
                    let expected = ColorReference.shown(code, primaries, transfer, nil, mode)
                    for part in 0..<3 { worst.add(drawn: drawn[index][part], exact: expected[part]) }
                }
                #expect(worst.value < 0.25 / 255, "\(primaries) \(mode)")
            }
        }
    }

    /// Video as it is coded: BT.2020, limited range, chroma shared by pixels or not, 8 and 10 bits.
    @Test(arguments: [Transfer.pq, .hlg], [PixelFormat.i420, .p010, .i410, .v210])
    func video(_ transfer: Transfer, _ format: PixelFormat) throws {
        let size = VideoSize(width: 66, height: 62)
        let (columns, rows) = format.sharing
        /// Y, Cb and Cr of a cube of colours, one for each chroma sample, black and white among them.
        func code(_ letter: Character, _ column: Int, _ row: Int) -> Int {
            let index = (row * 33 + column) * 5 % 1000
            let levels = [index % 10, index / 10 % 10, index / 100].map { Double($0) / 9 }
            let luma = 0.2627 * levels[0] + 0.6780 * levels[1] + 0.0593 * levels[2]
            let value =
                switch letter {
                case "Y": 219 * luma + 16
                case "U": 224 * (levels[2] - luma) / 1.8814 + 128
                default: 224 * (levels[0] - luma) / 1.4746 + 128
                }
            return Int((value * Double(1 << (format.bits("Y") - 8))).rounded())
        }
        let picture = TestPicture(format: format, size: size) { letter, x, y in
            letter == "Y" ? code("Y", x / columns, y / rows) : code(letter, x, y)
        }
        /// R', G' and B' of BT.2020, clause 4, unlimited: HLG has colours above white.
        func decoded(_ code: [Double]) -> [Double] {
            let luma = (code[0] - 16) / 219
            let (red, blue) = (luma + 1.4746 * (code[2] - 128) / 224, luma + 1.8814 * (code[1] - 128) / 224)
            return [red, (luma - 0.2627 * red - 0.0593 * blue) / 0.6780, blue]
        }
        let space = ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: transfer)
        let buffer = try picture.buffer()
        let wall = try TestWall()
        for mode in ColorConversionMode.allCases {
            wall.wall.colorConversion = mode
            for metadata in ColorReference.metadata {
                let frame = VideoFrame(buffer, attributes: FrameAttributes(colorSpace: space, hdrMetadata: metadata))
                let drawn = try wall.floats(of: frame, size)
                var worst = LargestError()
                for y in stride(from: 0, to: size.height, by: 6) {
                    for x in stride(from: 0, to: size.width, by: 4) {
                        let source = decoded(
                            "YUV".map { letter in
                                let isLuma = letter == "Y"
                                let value = picture.value(letter, isLuma ? x : x / columns, isLuma ? y : y / rows)
                                return Double(value) / Double(1 << (format.bits("Y") - 8))
                            })
                        let expected = ColorReference.shown(source, .bt2020, transfer, metadata, mode)
                        for part in 0..<3 {
                            worst.add(drawn: drawn[y * size.width + x][part], exact: expected[part])
                        }
                    }
                }
                #expect(worst.value < 0.5 / 255, "\(mode) \(String(describing: metadata))")
            }
        }
    }

    /// The light of HLG is that of a display of 1000 cd/m², whatever it was mastered on.
    @Test(arguments: ColorReference.metadata, [PixelFormat.i420, .p010])
    func whiteOfHLGIsWhite(_ metadata: HDRMetadata?, _ format: PixelFormat) throws {
        let size = VideoSize(width: 16, height: 16)
        let unit = 1 << (format.bits("Y") - 8)
        let picture = TestPicture(format: format, size: size) { letter, _, _ in (letter == "Y" ? 235 : 128) * unit }
        let space = ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020, transfer: .hlg)
        let drawn = try draw(
            VideoFrame(
                picture.buffer(), attributes: FrameAttributes(colorSpace: space, hdrMetadata: metadata)),
            in: size)
        for index in 0..<256 { try #require(drawn.pixel(index % 16, index / 16) == [255, 255, 255]) }
    }
}

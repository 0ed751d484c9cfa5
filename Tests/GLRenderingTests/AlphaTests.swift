import MediaIO
import Testing
import VideoWall

/// Frames with alpha: the colour of a transparent pixel is never seen, and alpha is 0 to 1.
@Suite(.everyRenderer) struct AlphaTests {
    static let formats = PixelFormat.allCases.filter { $0.layout.hasAlpha }
    /// Those whose pixels share no chroma, so that a hidden colour has samples of its own.
    static let ownColor = formats.filter { $0.sharing == (1, 1) }

    /// Columns of opaque white, and of transparent green or black.
    private func columns(_ format: PixelFormat, hidden: Character) throws -> VideoFrame {
        let picture = TestPicture(format: format, size: VideoSize(width: 64, height: 64)) { letter, x, _ in
            let most = (1 << format.bits(letter)) - 1
            let isHidden = x % 2 == 1
            return switch letter {
            case "A": isHidden ? 0 : most
            case "U", "V": isHidden && hidden == "G" ? most / 6 : (most + 1) / 2
            case "G": isHidden && hidden != "G" ? 0 : most
            default: isHidden ? 0 : most
            }
        }
        return try VideoFrame(
            picture.buffer(),
            attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .full, transfer: .sRGB)))
    }

    @Test(arguments: formats) func whiteAndHiddenGreenAreGray(_ format: PixelFormat) throws {
        let frame = try columns(format, hidden: format.sharing == (1, 1) ? "G" : "-")
        let wall = try TestWall()
        for filter in [ScalingFilter.automatic, .mitchell, .lanczos] {
            let drawn = try wall.picture(of: frame, VideoSize(width: 8, height: 8), filter: filter)
            // A kernel of three lobes reaches three pixels.
            for x in 3..<5 {
                for value in drawn.pixel(x, 4) { #expect(abs(value - 128) <= 2, "\(filter) \(drawn.pixel(x, 4))") }
            }
        }
    }

    @Test(arguments: ownColor) func hiddenColorsAreNotSeen(_ format: PixelFormat) throws {
        let frames = try "G-".map { try columns(format, hidden: $0) }
        let wall = try TestWall()
        for filter in ScalingFilter.allCases {
            for (side, isLinear) in [(8, false), (8, true), (50, false), (64, false), (99, false)] {
                let pictures = try frames.map { frame in
                    try wall.floats(of: frame, VideoSize(width: side, height: side), filter: filter) {
                        $0.scalesInLinearLight = isLinear
                    }
                }
                #expect(pictures[0] == pictures[1], "\(filter) \(side) light \(isLinear)")
            }
        }
    }

    /// In linear light, half of the light is shown, which is the code value 188.
    @Test func linearLightHalvesLight() throws {
        let drawn = try draw(columns(.rgba32, hidden: "G"), in: VideoSize(width: 8, height: 8), filter: .automatic) {
            $0.scalesInLinearLight = true
        }
        for value in drawn.pixel(4, 4) { #expect(abs(value - 188) <= 1) }
    }

    @Test func alphaAboveOneIsOne() throws {
        let wall = try TestWall()
        for value in try wall.drawnHalfFloat(0x3800, alpha: 0x4000, .nearest, side: 4) { #expect(127...128 ~= value) }
        #expect(try wall.drawnHalfFloat(0x3800, alpha: 0xBC00, .nearest, side: 4) == [0, 0, 0])
    }

    @Test(arguments: ScalingFilter.allCases) func infiniteSamplesAreWhite(_ filter: ScalingFilter) throws {
        let wall = try TestWall()
        for side in [2, 4, 9] {
            #expect(try wall.drawnHalfFloat(0x7C00, alpha: 0x3C00, filter, side: side) == [255, 255, 255])
        }
    }
}

extension TestWall {
    /// The colour of a frame of four by four equal pixels of half floats.
    fileprivate func drawnHalfFloat(
        _ value: UInt16, alpha: UInt16, _ filter: ScalingFilter, side: Int
    ) throws -> [Int] {
        let words = (0..<16).flatMap { _ in [value, value, value, alpha] }
        let bytes = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let frame = try VideoFrame(
            copying: bytes.span.bytes, format: .rgba64f, size: VideoSize(width: 4, height: 4),
            attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB)))
        return try picture(of: frame, VideoSize(width: side, height: side), filter: filter).pixel(side / 2, side / 2)
    }
}

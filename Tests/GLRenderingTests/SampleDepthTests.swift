import FrameConversion
import MediaIO
import TestSupport
import Testing
import VideoWall

/// Samples with bits above their depth, as broken decoders and cameras deliver them.
struct SampleDepthTests {
    static let size = VideoSize(width: 64, height: 36)
    /// Formats whose samples have bits above them in their words.
    static let formats = PixelFormat.allCases.filter { format in
        let layout = format.layout
        guard let first = layout.components[0], !layout.isFloat, layout.packing == .regular else { return false }
        return first.wordBytes == 2 && first.shift == 0 && (9..<16).contains(first.depth)
    }

    private static func frame(_ format: PixelFormat, _ letters: String, _ value: Int) throws -> VideoFrame {
        let half = 1 << (format.layout.depth - 1)
        let picture = TestPicture(format: format, size: size) { letter, _, _ in
            letters.contains(letter) ? value : letter == "A" ? 2 * half - 1 : half
        }
        return VideoFrame(
            try picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .full)))
    }

    /// Luma, or green, is white: pixel by pixel, enlarged, reduced, and turned.
    @Test(.everyRenderer, arguments: formats) func isTheHighestValue(_ format: PixelFormat) throws {
        let wall = try TestWall()
        let most = 1 << format.layout.depth - 1
        let letters = format.has("R") ? "RGB" : "Y"
        for value in [most + 1, most + most / 3, 65_535] {
            for (width, height) in [(64, 36), (100, 50), (11, 7)] {
                for rotation in [VideoRotation.upright, .clockwise90] {
                    let pictures = try [most, value].map { value in
                        var frame = try Self.frame(format, letters, value)
                        frame.attributes.rotation = rotation
                        return try wall.picture(of: frame, VideoSize(width: width, height: height), filter: .automatic)
                        {
                            $0.contentMode = .stretch
                        }
                    }
                    // Different dithering of white.
                    #expect(pictures[0].largestDifference(from: pictures[1]).value <= 1, "\(value)")
                }
            }
        }
    }

    @Test(arguments: formats, [PixelFormat.i420, .p010, .bgra32, .rgba64, .i416])
    func isConvertedAsTheHighestValue(_ format: PixelFormat, _ target: PixelFormat) throws {
        let most = 1 << format.layout.depth - 1
        let letters = format.has("R") ? "RGB" : "YUV"
        let converter = try FormatConverter(to: target)
        let codes = try [most, most + 1, 65_535].map { value in
            let probe = SampleProbe(try converter.convert(Self.frame(format, letters, value)).pixelBuffer)
            return [probe.codes(0, 0), probe.codes(63, 35), probe.codes(30, 17)]
        }
        #expect(codes[1] == codes[0] && codes[2] == codes[0])
    }
}

import MediaIO
import TestSupport
import Testing
import VideoWall

/// Every format on the GPU against plain arithmetic: odd sizes, strides longer by a byte, rows from the bottom up.
///
/// Noise in every sample, read with the nearest filter so that each pixel has its own samples. What interpolates chroma is in
/// ``SitingTests``, Bayer patterns are in ``BayerTests``.
@Suite(.everyRenderer) struct FormatTests {
    static let formats = PixelFormat.drawn.filter { !$0.isBayer }
    static let sizes = [(1, 1), (2, 2), (3, 5), (7, 4), (35, 23)].map { VideoSize(width: $0, height: $1) }
    static let memory = [(0, false), (1, false), (64, false), (3, true)]

    @Test(arguments: formats) func everySampleIsItsColor(_ format: PixelFormat) throws {
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        for (matrix, range) in [
            (ColorSpace.Matrix.bt709, ColorSpace.Range.limited), (.bt601, .full), (.ycgco, .limited),
        ] {
            let space = ColorSpace(matrix: matrix, range: range)
            // How samples lie in memory is independent of what they mean.
            let isFirst = matrix == .bt709
            for size in isFirst ? Self.sizes : Self.sizes.suffix(1) {
                let picture = TestPicture.noise(format, size)
                for (padding, isBottomUp) in isFirst ? Self.memory : Array(Self.memory.suffix(1)) {
                    let frame = try VideoFrame(
                        picture.buffer(padding: padding, isBottomUp: isBottomUp),
                        attributes: FrameAttributes(colorSpace: space))
                    let drawn = try wall.floats(of: frame, size)
                    var worst = LargestError()
                    for y in 0..<size.height {
                        for x in 0..<size.width {
                            for (value, expected) in zip(
                                drawn[y * size.width + x], picture.expected(x, y, matrix, range))
                            {
                                worst.add(drawn: value, exact: expected / 255)
                            }
                        }
                    }
                    // OpenGL ES expands 5 and 6 bits to 8, inexactly.
                    let bound = drawsWithES && format == .rgb565 ? 1.0 / 255 : 1.0 / 1023
                    #expect(worst.value <= bound, "\(matrix) \(range) \(size) padding \(padding) \(isBottomUp)")
                }
            }
        }
    }

    /// What is dithered is off by less than one code value, and right on the mean.
    @Test(arguments: formats) func eightBitTargets(_ format: PixelFormat) throws {
        let size = VideoSize(width: 64, height: 32)
        let picture = TestPicture.noise(format, size)
        let space = ColorSpace(matrix: .bt709, range: .limited)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        wall.add(try VideoFrame(picture.buffer(), attributes: FrameAttributes(colorSpace: space)))
        let drawn = try wall.picture(size)
        var (worst, sum) = (0.0, 0.0)
        for y in 0..<size.height {
            for x in 0..<size.width {
                for (value, expected) in zip(drawn.pixel(x, y), picture.expected(x, y, space.matrix, space.range)) {
                    worst = max(worst, abs(Double(value) - expected))
                    sum += Double(value) - expected
                }
            }
        }
        // A half float is off by up to 1/4096 itself.
        #expect(worst < (format == .rgba64f ? 1.07 : 1.01))
        #expect(abs(sum / Double(3 * size.width * size.height)) < 0.05)
    }

    @Test(arguments: formats) func textureFilteringNeverReadsPadding(_ format: PixelFormat) throws {
        let wall = try TestWall()
        // A picture of one colour stays of one colour, whatever lies beside it in memory and however it is scaled.
        for size in [VideoSize(width: 5, height: 3), VideoSize(width: 1, height: 1), VideoSize(width: 33, height: 17)] {
            let picture = TestPicture(format: format, size: size) { letter, _, _ in
                let most = (1 << format.bits(letter)) - 1
                return letter == "A" ? most : letter == "Y" || letter == "G" ? most * 3 / 5 : most / 3
            }
            let target = VideoSize(width: 48, height: 27)
            for filter in [ScalingFilter.bilinear, .catmullRom, .automatic] {
                let frame = try VideoFrame(
                    picture.buffer(padding: 5),
                    attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .full)))
                let drawn = try wall.picture(of: frame, target, filter: filter) { $0.contentMode = .stretch }
                let expected = picture.expected(0, 0, .bt709, .full)
                let worst = (0..<target.width * target.height).map { index in
                    zip(drawn.pixel(index % target.width, index / target.width), expected).map { abs(Double($0) - $1) }
                        .max()
                        ?? 0
                }.max()
                #expect(worst ?? 9 < 1.5, "\(size) \(filter)")
            }
        }
    }
}

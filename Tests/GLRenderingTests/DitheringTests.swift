import MediaIO
import TestSupport
import Testing
import VideoWall

/// Sources of more bits than the target: what is lost is spread, so that the mean is right and no bands are seen.
@Suite(.renderTurn, .everyRenderer) struct DitheringTests {
    /// Four steps of ten bits to a step of eight, each 16 pixels wide.
    private static func ramp(_ format: PixelFormat) -> TestPicture {
        TestPicture(format: format, size: VideoSize(width: 512, height: 16)) { letter, x, _ in
            letter == "Y" ? 300 + x / 16 : 512
        }
    }

    @Test(arguments: [PixelFormat.gray10, .i010, .p010, .v210, .i410]) func tenBitsIntoEightKeepTheMean(
        _ format: PixelFormat
    ) throws {
        let picture = Self.ramp(format)
        let space = ColorSpace(matrix: .bt709, range: .limited)
        let frame = try VideoFrame(picture.buffer(), attributes: FrameAttributes(colorSpace: space))
        let drawn = try draw(frame, in: picture.size, filter: .bilinear)
        var worst = 0.0
        for top in stride(from: 0, to: picture.size.height, by: 8) {
            for left in stride(from: 0, to: picture.size.width, by: 8) {
                for part in 0..<3 {
                    var (sum, expected) = (0.0, 0.0)
                    for y in top..<top + 8 {
                        for x in left..<left + 8 {
                            sum += Double(drawn.pixel(x, y)[part])
                            expected += picture.expected(x, 0, .bt709, .limited)[part]
                        }
                    }
                    worst = max(worst, abs(sum - expected) / 64)
                }
            }
        }
        #expect(worst <= 0.1)
        // Where a value lies between two steps, both are there: a plain rounding would have one, and bands.
        for step in 0..<32 {
            let exact = picture.expected(16 * step, 0, .bt709, .limited)[1]
            guard abs(exact - exact.rounded()) > 0.2 else { continue }
            let values = Set((0..<256).map { drawn.pixel(16 * step + $0 % 16, $0 / 16)[1] })
            #expect(values == [Int(exact), Int(exact) + 1], "\(exact)")
        }
    }

    /// Half of the pixels are one step brighter, four of eight in each row and column, so that no stripes are seen.
    @Test func aValueBetweenTwoStepsHasNoStripes() throws {
        let picture = TestPicture(format: .gray10, size: VideoSize(width: 16, height: 16)) { _, _, _ in 2 }
        let frame = try VideoFrame(
            picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full)))
        let drawn = try draw(frame, in: picture.size)
        for line in 0..<16 {
            for start in [0, 8] {
                #expect((start..<start + 8).reduce(0) { $0 + drawn.pixel($1, line)[0] } == 4)
                #expect((start..<start + 8).reduce(0) { $0 + drawn.pixel(line, $1)[0] } == 4)
            }
        }
    }

    @Test func tenBitsIntoTenAreExact() throws {
        // Every code value, four in a row of 256 pixels.
        let size = VideoSize(width: 256, height: 4)
        let picture = TestPicture(format: .p010, size: size) { letter, x, y in letter == "Y" ? 4 * x + y : 512 }
        for range in ColorSpace.Range.allCases {
            let wall = try TestWall()
            wall.wall.colorConversion = .off
            wall.add(
                try VideoFrame(
                    picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt2020, range: range))
                ))
            let target = try wall.renderer.makeOffscreenTarget(size: size, format: .rgb10a2)
            try wall.renderer.render(wall.wall, into: target)
            let words = try target.readPixels().withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
            for y in 0..<4 {
                for x in 0..<256 {
                    let level = range == .full ? Double(4 * x + y) / 1023 : Double(4 * x + y - 64) / 876
                    let exact = min(1, max(0, level)) * 1023
                    for shift in [0, 10, 20] {
                        let code = Double(words[y * 256 + x] >> UInt32(shift) & 1023)
                        // A code value of full range is one of the target's. Of those between two, llvmpipe takes either.
                        #expect(abs(code - exact) < (range == .full ? 1e-9 : 1), "\(4 * x + y) \(range)")
                    }
                }
            }
        }
    }

    @Test(arguments: [ScalingFilter.automatic, .mitchell, .lanczos]) func scaledTenBitsAreExact(
        _ filter: ScalingFilter
    ) throws {
        let noise = TestPicture.noise(.i410, VideoSize(width: 51, height: 33))
        let picture = TestPicture(format: .i410, size: noise.size) { letter, x, y in
            letter == "Y" ? 500 + noise.value(letter, x, y) / 4 : 480 + noise.value(letter, x, y) / 16
        }
        let frame = try VideoFrame(
            picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .full)))
        for size in [VideoSize(width: 20, height: 13), VideoSize(width: 70, height: 50)] {
            let wall = try TestWall()
            let exact = try wall.floats(of: frame, size, filter: filter) { $0.contentMode = .stretch }
            let target = try wall.renderer.makeOffscreenTarget(size: size, format: .rgb10a2)
            try wall.renderer.render(wall.wall, into: target)
            let words = try target.readPixels().withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
            for (word, color) in zip(words, exact) {
                for (part, value) in color.enumerated() {
                    let code = Double(word >> UInt32(10 * part) & 1023)
                    // Of the two code values beside the exact one, llvmpipe takes either.
                    #expect(abs(code - min(1, max(0, value)) * 1023) < 1.01)
                }
            }
        }
    }

    @Test(arguments: PixelFormat.drawn.filter { $0.layout.depth <= 8 && !$0.isBayer })
    func eightBitsAreNeverDithered(_ format: PixelFormat) throws {
        let size = VideoSize(width: 16, height: 16)
        let picture = TestPicture(format: format, size: size) { letter, _, _ in
            let most = (1 << format.bits(letter)) - 1
            return letter == "A" ? most : letter == "Y" || letter == "G" ? most * 3 / 5 : most * 2 / 5
        }
        let frame = try VideoFrame(
            picture.buffer(), attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .bt709, range: .limited)))
        let drawn = try draw(frame, in: size)
        let first = drawn.pixel(0, 0)
        for pixel in 0..<256 { try #require(drawn.pixel(pixel % 16, pixel / 16) == first) }
    }

    @Test func bytesOfRGBStayWhatTheyAre() throws {
        let size = VideoSize(width: 256, height: 2)
        let picture = TestPicture(format: .rgb24, size: size) { letter, x, _ in
            letter == "R" ? x : letter == "G" ? 255 - x : x ^ 0x55
        }
        let drawn = try draw(VideoFrame(picture.buffer()), in: size)
        for x in 0..<256 { #expect(drawn.pixel(x, 1) == [x, 255 - x, x ^ 0x55]) }
    }
}

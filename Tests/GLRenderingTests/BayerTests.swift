import MediaIO
import Testing
import VideoWall

/// Bayer patterns against a bilinear demosaic by plain arithmetic: all four orders, even and odd sizes.
@Suite(.everyRenderer) struct BayerTests {
    static let formats: [(format: PixelFormat, letters: String)] = [
        (.rggb8, "RGGB"), (.bggr8, "BGGR"), (.gbrg8, "GBRG"), (.grbg8, "GRBG"),
    ]
    static let sizes = [(2, 2), (3, 3), (2, 5), (5, 2), (16, 9), (35, 23)].map { VideoSize(width: $0, height: $1) }

    /// The mean of a colour's nearest samples, in a picture that is mirrored at the middle of its outermost pixels.
    private static func color(
        _ letter: Character, _ x: Int, _ y: Int, _ letters: [Character], _ size: VideoSize, _ sample: (Int, Int) -> Int
    ) -> Double {
        func mirrored(_ place: Int, _ length: Int) -> Int {
            if place < 0 { return -place }
            return place >= length ? 2 * (length - 1) - place : place
        }
        let rings = [[(0, 0)], [(-1, 0), (1, 0), (0, -1), (0, 1)], [(-1, -1), (1, -1), (-1, 1), (1, 1)]]
        for ring in rings {
            let values = ring.map { (mirrored(x + $0.0, size.width), mirrored(y + $0.1, size.height)) }
                .filter { letters[$0.1 % 2 * 2 + $0.0 % 2] == letter }.map { Double(sample($0.0, $0.1)) }
            if !values.isEmpty { return values.reduce(0, +) / Double(values.count) }
        }
        return 0
    }

    private static func expected(_ picture: TestPicture, _ letters: [Character]) -> [[[Double]]] {
        func sample(_ x: Int, _ y: Int) -> Int { picture.value(letters[y % 2 * 2 + x % 2], x, y) }
        return (0..<picture.size.height).map { y in
            (0..<picture.size.width).map { x in
                "RGB".map { color($0, x, y, letters, picture.size, sample) }
            }
        }
    }

    @Test(arguments: formats.indices) func agreesWithAPlainDemosaic(_ index: Int) throws {
        let (format, letters) = Self.formats[index]
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        let space = ColorSpace(matrix: .rgb, range: .full)
        for size in Self.sizes {
            let picture = TestPicture.noise(format, size)
            let expected = Self.expected(picture, Array(letters))
            let frame = try VideoFrame(picture.buffer(padding: 3), attributes: FrameAttributes(colorSpace: space))
            let larger = VideoSize(width: size.width * 3 + 1, height: size.height * 2)
            let scaled = ScalingReference(filter: .bilinear).scaled(expected, to: larger)
            // As it is, and enlarged by four of the pixels that came out.
            for (target, rows, filter) in [
                (size, expected, ScalingFilter.nearest), (size, expected, .bilinear), (larger, scaled, .bilinear),
            ] {
                let drawn = try wall.floats(of: frame, target, filter: filter) { $0.contentMode = .stretch }
                let worst = zip(drawn, rows.joined()).flatMap { zip($0, $1).map { abs($0 * 255 - $1) } }.max()
                #expect(worst ?? 9 < 0.01, "\(size) to \(target) \(filter)")
            }
        }
    }

    @Test(arguments: formats.indices) func oneColorIsOneColor(_ index: Int) throws {
        let format = Self.formats[index].format
        let wall = try TestWall()
        for size in Self.sizes {
            let picture = TestPicture(format: format, size: size) { letter, _, _ in
                letter == "R" ? 200 : letter == "G" ? 90 : 31
            }
            for target in [size, VideoSize(width: size.width * 4 + 1, height: size.height * 3)] {
                for filter in [ScalingFilter.nearest, .bilinear, .catmullRom] {
                    let frame = try VideoFrame(
                        picture.buffer(),
                        attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full, transfer: .sRGB))
                    )
                    let drawn = try wall.picture(of: frame, target, filter: filter) { $0.contentMode = .stretch }
                    for pixel in 0..<target.width * target.height {
                        let color = drawn.pixel(pixel % target.width, pixel / target.width)
                        try #require(color == [200, 90, 31], "\(size) to \(target) \(filter)")
                    }
                }
            }
        }
    }

    /// A single row or column lacks a colour; nothing is read beside it.
    @Test(arguments: formats.indices) func aSinglePixelWideIsDrawn(_ index: Int) throws {
        let wall = try TestWall()
        for size in [VideoSize(width: 1, height: 1), VideoSize(width: 1, height: 4), VideoSize(width: 5, height: 1)] {
            let picture = TestPicture(format: Self.formats[index].format, size: size) { _, _, _ in 77 }
            let frame = try VideoFrame(
                picture.buffer(padding: 2),
                attributes: FrameAttributes(colorSpace: ColorSpace(matrix: .rgb, range: .full)))
            let drawn = try wall.picture(of: frame, size)
            for pixel in 0..<size.width * size.height {
                #expect(drawn.pixel(pixel % size.width, pixel / size.width) == [77, 77, 77])
            }
        }
    }
}

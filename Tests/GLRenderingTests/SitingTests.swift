import MediaIO
import TestSupport
import Testing
import VideoWall

/// Chroma between its samples, at one source pixel to one target pixel, against bilinear weights by plain arithmetic.
@Suite(.everyRenderer) struct SitingTests {
    @Test(arguments: ChromaLocation.allCases, [VideoSize(width: 16, height: 8), VideoSize(width: 35, height: 23)])
    func chromaIsReadWhereItLies(_ location: ChromaLocation, _ size: VideoSize) throws {
        // A slope, so that a chroma picture that is off by half a pixel is off by many code values.
        let picture = SamplePicture(
            format: .i420, size: size, luma: { _, _ in 128 }, cb: { x, y in UInt8(40 + 9 * x + y) },
            cr: { x, y in UInt8(200 - 3 * x - 11 * y) })
        let space = ColorSpace(matrix: .bt709, range: .full)
        let drawn = try draw(
            VideoFrame(picture.buffer(), attributes: FrameAttributes(colorSpace: space, chromaLocation: location)),
            in: size, filter: .bilinear)
        let reference = ReferenceConverter(matrix: .bt709, range: .full)
        let (left, top): (Double, Double) =
            switch location {
            case .left: (0, 0.5)
            case .center: (0.5, 0.5)
            case .topLeft: (0, 0)
            case .top: (0.5, 0)
            case .bottomLeft: (0, 1)
            case .bottom: (0.5, 1)
            }
        var worst = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                // A chroma sample (i, j) lies at luma sample (2i + left, 2j + top).
                let u = (Double(x) - left) / 2
                let v = (Double(y) - top) / 2
                let expected = reference.rgb(
                    y: 128, cb: bilinear(picture.cb, u, v, size), cr: bilinear(picture.cr, u, v, size))
                for (part, value) in drawn.pixel(x, y).enumerated() {
                    worst = max(worst, abs(Double(value) - expected[part]))
                }
            }
        }
        #expect(worst <= 0.6)
    }

    /// In limited range, samples times a power of 2 are the same picture; ``ZimgTests`` has the one of 8 bits.
    @Test(arguments: [(PixelFormat.i440p10, 4), (.i440p12, 16)], ChromaLocation.allCases)
    func deepChromaLiesWhereThatOfEightBitsDoes(
        _ format: (deep: PixelFormat, factor: Int), _ location: ChromaLocation
    ) throws {
        let size = VideoSize(width: 35, height: 23)
        let wall = try TestWall()
        wall.wall.colorConversion = .off
        func drawn(_ format: PixelFormat, times factor: Int) throws -> FloatPicture {
            let picture = TestPicture(format: format, size: size) { letter, x, y in
                factor * (letter == "Y" ? 60 + x : letter == "U" ? 50 + 7 * y : 200 - 5 * y)
            }
            return try wall.floats(
                of: VideoFrame(
                    picture.buffer(),
                    attributes: FrameAttributes(
                        colorSpace: ColorSpace(matrix: .bt709, range: .limited), chromaLocation: location)),
                size, filter: .bilinear)
        }
        var worst = LargestError()
        for (deep, shallow) in try zip(drawn(format.deep, times: format.factor), drawn(.i440, times: 1)) {
            for (value, expected) in zip(deep, shallow) { worst.add(value - expected) }
        }
        #expect(worst.value * 255 <= 0.3)
    }

    private func bilinear(_ plane: (Int, Int) -> UInt8, _ u: Double, _ v: Double, _ size: VideoSize) -> Double {
        let description = PixelFormat.i420.planes[1]
        let (columns, rows) = (description.width(size), description.height(size))
        func sample(_ i: Int, _ j: Int) -> Double {
            Double(plane(min(columns - 1, max(0, i)), min(rows - 1, max(0, j))))
        }
        let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (a, b) = (u - Double(i), v - Double(j))
        return (1 - b) * ((1 - a) * sample(i, j) + a * sample(i + 1, j))
            + b * ((1 - a) * sample(i, j + 1) + a * sample(i + 1, j + 1))
    }
}

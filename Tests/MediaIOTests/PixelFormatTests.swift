import MediaIO
import TestSupport
import Testing

/// The geometry of planes, written down by hand.
struct PixelFormatTests {
    struct Case {
        let format: PixelFormat
        let size: VideoSize
        /// Bytes of a row and rows, for each plane.
        let planes: [[Int]]

        init(_ format: PixelFormat, _ width: Int, _ height: Int, _ planes: [[Int]]) {
            self.format = format
            self.size = VideoSize(width: width, height: height)
            self.planes = planes
        }
    }

    @Test(arguments: [
        Case(.i420, 1, 1, [[1, 1], [1, 1], [1, 1]]),
        Case(.i420, 2, 2, [[2, 2], [1, 1], [1, 1]]),
        Case(.i420, 3, 2, [[3, 2], [2, 1], [2, 1]]),
        Case(.i420, 35, 23, [[35, 23], [18, 12], [18, 12]]),
        Case(.i420, 1920, 1080, [[1920, 1080], [960, 540], [960, 540]]),
        Case(.i420, 65_536, 65_536, [[65_536, 65_536], [32_768, 32_768], [32_768, 32_768]]),
        Case(.nv12, 1, 1, [[1, 1], [2, 1]]),
        Case(.nv12, 2, 2, [[2, 2], [2, 1]]),
        Case(.nv12, 3, 2, [[3, 2], [4, 1]]),
        Case(.nv12, 35, 23, [[35, 23], [36, 12]]),
        Case(.nv12, 1920, 1080, [[1920, 1080], [1920, 540]]),
    ]) func planeGeometry(_ test: Case) {
        #expect(test.format.planes.map { [$0.rowBytes(test.size), $0.height(test.size)] } == test.planes)
        #expect(test.format.packedByteCount(test.size) == test.planes.reduce(0) { $0 + $1[0] * $1[1] })
        for (description, plane) in zip(test.format.planes, test.planes) {
            #expect(description.width(test.size) * description.components == plane[0])
            let stride = plane[0] + 7
            #expect(description.byteCount(test.size, bytesPerRow: stride) == stride * (plane[1] - 1) + plane[0])
        }
    }

    @Test func namesAreStable() {
        #expect(PixelFormat.allCases.map(\.rawValue) == ["i420", "nv12"])
        #expect(Set(PixelFormat.allCases.map(\.summary)).count == PixelFormat.allCases.count)
    }

    @Test(
        arguments: [
            ("1280x720", VideoSize(width: 1280, height: 720)), ("1x1", VideoSize(width: 1, height: 1)), ("", nil),
            ("1280", nil), ("1280x", nil), ("x720", nil), ("0x1", nil), ("1x0", nil), ("-1x1", nil), ("+1x1", nil),
            ("1x1x1", nil), ("1 x1", nil), ("99999999999999999999x1", nil), ("1X1", nil), ("\u{0661}x1", nil),
        ] as [(String, VideoSize?)]) func sizeIsRead(_ text: String, _ size: VideoSize?)
    {
        #expect(VideoSize(text) == size)
        if let size { #expect(size.description == text) }
    }

    @Test(
        arguments: [
            ("30", Rational(30)), ("30000/1001", Rational(30_000, 1001)), ("25:1", Rational(25)), ("", nil), ("0", nil),
            ("1/0", nil), ("0/1", nil), ("1/", nil), ("/1", nil), ("-1", nil), ("1/2/3", nil), ("1/2:3", nil),
            ("2147483647", Rational(Int(Int32.max))), ("2147483648", nil), ("1.5", nil), ("+1", nil),
        ] as [(String, Rational?)]) func rationalIsRead(_ text: String, _ value: Rational?)
    {
        #expect(Rational(text) == value)
    }
}

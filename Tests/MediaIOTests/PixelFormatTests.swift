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
            #expect(description.rowBytes(test.size) == plane[0])
            let stride = plane[0] + 7
            #expect(description.byteCount(test.size, bytesPerRow: stride) == stride * (plane[1] - 1) + plane[0])
        }
    }

    @Test func namesAreStable() {
        let names = """
            i420 yv12 i422 i444 i440 i411 yuv9 i420a i422a i444a nv12 nv21 nv16 nv61 nv24 nv42
            i009 i010 i012 i014 i016 i209 i210 i212 i214 i216 i409 i410 i412 i414 i416 i440p10 i440p12
            i010a i016a i210a i212a i216a i410a i412a i416a
            p010 p012 p016 p210 p216 p410 p416 nv20 gray8 gray10 gray12 gray16
            yuyv uyvy yvyu vyuy ayuv vuya vuyx y210 y410 v210 gbrp gbrap gbrp10 gbrp12 gbrp16
            bgra32 rgba32 argb32 abgr32 bgrx32 rgbx32 xrgb32 xbgr32 bgr24 rgb24 rgb565 xrgb1555 x2rgb10 x2bgr10
            rgba64 rgba64f rggb8 bggr8 gbrg8 grbg8
            """
        #expect(PixelFormat.allCases.map(\.rawValue) == names.split(whereSeparator: \.isWhitespace).map(String.init))
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

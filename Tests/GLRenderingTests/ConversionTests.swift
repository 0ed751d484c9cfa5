import MediaIO
import Testing
import VideoWall

/// The GPU against ``ReferenceConverter``: every format, matrix and range, odd sizes, padded rows.
///
/// Random samples, read with the nearest filter so that each pixel has its own samples. Does not cover chroma siting:
/// see ``SitingTests``.
@Suite(.everyRenderer) struct ConversionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let format: PixelFormat
        let matrix: ColorSpace.Matrix
        let range: ColorSpace.Range
        let size: VideoSize

        var testDescription: String { "\(format) \(matrix) \(range) \(size)" }

        static let sizes = [(1, 1), (2, 2), (3, 5), (35, 23)].map { VideoSize(width: $0, height: $1) }
        static let all = [PixelFormat.i420, .nv12].flatMap { format in
            ColorSpace.Matrix.allCases.flatMap { matrix in
                ColorSpace.Range.allCases.flatMap { range in
                    sizes.map { Case(format: format, matrix: matrix, range: range, size: $0) }
                }
            } + [Case(format: format, matrix: .bt709, range: .limited, size: VideoSize(width: 1920, height: 1080))]
        }
    }

    @Test(arguments: Case.all) func agreesWithTheReference(_ test: Case) throws {
        let picture = SamplePicture.random(test.format, test.size)
        let reference = ReferenceConverter(matrix: test.matrix, range: test.range)
        let space = ColorSpace(matrix: test.matrix, range: test.range)
        let wall = try TestWall()
        // An odd padding makes a stride that is no multiple of an interleaved sample; 64 is what decoders do.
        for padding in test.size.width > 100 ? [64] : [0, 1, 64] {
            let drawn = try wall.picture(
                of: VideoFrame(picture.buffer(padding: padding), attributes: FrameAttributes(colorSpace: space)),
                test.size)
            // A large picture is checked in some of its rows, the first and the last among them.
            let rows =
                test.size.height > 100
                ? Array(stride(from: 0, to: test.size.height, by: 83)) : Array(0..<test.size.height)
            var worst = 0.0
            for y in rows {
                for x in 0..<test.size.width {
                    let expected = reference.rgb(
                        y: Double(picture.luma(x, y)), cb: Double(picture.cb(x / 2, y / 2)),
                        cr: Double(picture.cr(x / 2, y / 2)))
                    for (part, value) in drawn.pixel(x, y).enumerated() {
                        worst = max(worst, abs(Double(value) - expected[part]))
                    }
                }
            }
            #expect(worst <= 1, "padding \(padding)")
        }
    }

    @Test func formatsOfOnePictureAgree() throws {
        let size = VideoSize(width: 35, height: 23)
        let pictures = try [PixelFormat.i420, .nv12].map { format in
            try draw(VideoFrame(SamplePicture.random(format, size).buffer()), in: size, filter: .bilinear)
        }
        #expect(pictures.allSatisfy { $0 == pictures[0] })
    }
}

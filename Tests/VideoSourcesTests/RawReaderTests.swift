import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Pictures without a header.
struct RawReaderTests {
    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

    @Test(
        arguments: PixelFormat.allCases, TestPatternTests.sizes.dropLast() + [VideoSize(width: 128, height: 20)])
    func framesFollowEachOther(_ format: PixelFormat, _ size: VideoSize) throws {
        let folder = TemporaryFolder()
        let length = format.packedByteCount(size)
        let bytes = Self.bytes(3 * length)
        let space = ColorSpace(matrix: .bt2020, range: .full)
        let reader = try RawReader(
            path: folder.write("a.yuv", bytes), format: format, size: size, frameRate: Rational(10),
            colorTags: ColorTags(space, chromaLocation: .topLeft),
            // Without one, the rows of v210 would end at 128 bytes.
            bytesPerRow: format == .v210 ? format.planes[0].rowBytes(size) : nil)
        #expect(reader.info.duration == .milliseconds(300))
        for _ in 0..<2 {
            for index in 0..<3 {
                let frame = try #require(try reader.next())
                #expect(frame.planes.packedBytes == Array(bytes[index * length..<(index + 1) * length]))
                #expect(frame.time == .milliseconds(100 * index))
                #expect(frame.attributes.colorTags == ColorTags(space, chromaLocation: .topLeft))
                #expect(frame.attributes == reader.info.attributes)
            }
            #expect(try reader.next() == nil)
            try reader.rewind()
        }
    }

    struct Padded {
        let format: PixelFormat
        let stride: Int
        /// Stride, bytes of a row and rows of each plane.
        let planes: [(stride: Int, row: Int, rows: Int)]

        init(_ format: PixelFormat, _ stride: Int, _ planes: [(stride: Int, row: Int, rows: Int)]) {
            (self.format, self.stride, self.planes) = (format, stride, planes)
        }
    }

    /// Strides that are the buffer's own (64), smaller than it, larger than it, and odd, written out by hand.
    static let padded =
        [35, 36, 37, 63, 64, 65, 200].flatMap { stride in
            let half = (stride + 1) / 2
            return [
                Padded(.i420, stride, [(stride, 35, 23), (half, 18, 12), (half, 18, 12)]),
                Padded(.nv12, stride, [(stride, 35, 23), (half * 2, 36, 12)]),
                Padded(.gray8, stride, [(stride, 35, 23)]), Padded(.rggb8, stride, [(stride, 35, 23)]),
                Padded(.i444a, stride, [(stride, 35, 23), (stride, 35, 23), (stride, 35, 23), (stride, 35, 23)]),
                Padded(.gbrp, stride, [(stride, 35, 23), (stride, 35, 23), (stride, 35, 23)]),
            ]
        } + [
            Padded(.i420a, 41, [(41, 35, 23), (21, 18, 12), (21, 18, 12), (41, 35, 23)]),
            Padded(.i411, 37, [(37, 35, 23), (10, 9, 23), (10, 9, 23)]),
            Padded(.yuv9, 40, [(40, 35, 23), (10, 9, 6), (10, 9, 6)]),
            Padded(.i440, 40, [(40, 35, 23), (40, 35, 12), (40, 35, 12)]),
            Padded(.nv24, 36, [(36, 35, 23), (72, 70, 23)]),
            Padded(.i010, 71, [(71, 70, 23), (36, 36, 12), (36, 36, 12)]),
            Padded(.i010, 80, [(80, 70, 23), (40, 36, 12), (40, 36, 12)]),
            Padded(.i414, 71, [(71, 70, 23), (71, 70, 23), (71, 70, 23)]),
            Padded(.p010, 72, [(72, 70, 23), (72, 72, 12)]), Padded(.p010, 128, [(128, 70, 23), (128, 72, 12)]),
            Padded(.yuyv, 72, [(72, 72, 23)]), Padded(.yuyv, 75, [(75, 72, 23)]), Padded(.y210, 160, [(160, 144, 23)]),
            Padded(.v210, 96, [(96, 96, 23)]), Padded(.v210, 128, [(128, 96, 23)]),
            Padded(.bgr24, 108, [(108, 105, 23)]), Padded(.bgr24, 105, [(105, 105, 23)]),
            Padded(.rgba32, 141, [(141, 140, 23)]), Padded(.rgb565, 72, [(72, 70, 23)]),
            Padded(.rgba64, 288, [(288, 280, 23)]),
        ]

    @Test(arguments: padded) func paddedRows(_ test: Padded) throws {
        let (format, stride, planes) = (test.format, test.stride, test.planes)
        let folder = TemporaryFolder()
        let size = VideoSize(width: 35, height: 23)
        var file: [UInt8] = []
        var wanted: [UInt8] = []
        for frame in 0..<2 {
            for (index, (stride, row, rows)) in planes.enumerated() {
                for y in 0..<rows {
                    let samples = (0..<row).map { UInt8(truncatingIfNeeded: $0 + y * 3 + index * 50 + frame * 100) }
                    wanted += samples
                    file += samples + [UInt8](repeating: 0xEE, count: stride - row)
                }
            }
        }
        let reader = try RawReader(
            path: folder.write("padded.yuv", file), format: format, size: size, bytesPerRow: stride)
        #expect(try (0..<2).flatMap { _ in try reader.next()?.planes.packedBytes ?? [] } == wanted)
        #expect(try reader.next() == nil)
    }

    /// Rows of v210 end at a multiple of 128 bytes: 48 pixels.
    @Test(arguments: [(1, 128), (48, 128), (49, 256), (1280, 3456), (1920, 5120)])
    func rowsOfV210(_ width: Int, _ stride: Int) throws {
        let folder = TemporaryFolder()
        let size = VideoSize(width: width, height: 2)
        let bytes = Self.bytes(2 * stride)
        let frame = try RawReader(path: folder.write("a.v210", bytes), format: .v210, size: size).next()
        let row = (width + 5) / 6 * 16
        #expect(frame?.planes.packedBytes == Array(bytes[..<row] + bytes[stride..<stride + row]))
    }

    @Test(
        arguments: [
            ("clip.yuv", .i420), ("clip.raw", .i420), ("clip.nv12", .nv12), ("/a.b/clip.P010", .p010),
            ("x.v210", .v210), ("clip.i420", .i420), ("nv12", nil), ("clip.mp4", nil), ("clip.y4m", nil), ("", nil),
            ("a.nv12/clip", nil), (".nv12", .nv12), ("clip.nv12.", nil), ("clip.nv12.mkv", nil),
        ] as [(String, PixelFormat?)]) func endingsOfNames(_ name: String, _ format: PixelFormat?)
    {
        #expect(RawReader.format(ofFileNamed: name) == format)
    }

    @Test(arguments: [
        (0, StreamError.Code.malformed, ["is empty"]),
        (1, .malformed, ["1 bytes are 0 frames of 12 bytes", "and 1 more"]),
        (30, .malformed, ["30 bytes are 2 frames of 12 bytes", "i420 4x2", "and 6 more"]),
    ]) func fileMustHoldWholeFrames(_ count: Int, _ code: StreamError.Code, _ words: [String]) {
        let folder = TemporaryFolder()
        let path = folder.write("a.yuv", Self.bytes(count))
        let error = #expect(throws: StreamError.self) {
            try RawReader(path: path, format: .i420, size: VideoSize(width: 4, height: 2))
        }
        #expect(error?.code == code)
        for word in words + [path] { #expect(error?.description.contains(word) == true, "\(word)") }
    }

    @Test(
        arguments: [
            (0, 1, nil), (1, 0, nil), (65_537, 1, nil), (Int.max, Int.max, nil), (4, 2, 3), (4, 2, 0), (4, 2, -4),
            (4, 2, Int.max), (4, 2, 1 << 30),
        ] as [(Int, Int, Int?)]) func geometryOutOfRangeIsRefused(_ width: Int, _ height: Int, _ stride: Int?)
    {
        let folder = TemporaryFolder()
        let path = folder.write("a.yuv", Self.bytes(12))
        let error = #expect(throws: StreamError.self) {
            try RawReader(
                path: path, format: .i420, size: VideoSize(width: width, height: height), bytesPerRow: stride)
        }
        #expect(error?.code == .unsupported)
        if stride != nil {
            #expect(error?.description.contains("needs 4 to 1048580") == true)
        }
    }

    @Test func pipeBreaksOff() throws {
        try withPipe { input, output in
            let writer = try BackgroundWriter(Self.bytes(12 * 2 + 5), to: output, piece: 5)
            let reader = try RawReader(
                descriptor: input, name: "standard input", format: .nv12, size: VideoSize(width: 4, height: 2))
            #expect(reader.info.duration == nil)
            #expect(try reader.next() != nil)
            #expect(try reader.next()?.planes.packedBytes == Array(Self.bytes(24)[12...]))
            let error = #expect(throws: StreamError.self) { try reader.next() }
            #expect(error?.code == .readFailed)
            #expect(error?.description.contains("frame 2 (from 0) has 5 of 12 bytes") == true)
            writer.join()
        }
    }

    /// Whatever the options, the answer is an error or as many whole frames as the file has.
    @Test func anyGeometry() throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.yuv", Self.bytes(720))
        var random = SeededGenerator(seed: 3)
        var opened = 0
        for _ in 0..<5000 {
            let size = VideoSize(
                width: .random(in: -1...20, using: &random), height: .random(in: -1...20, using: &random))
            let stride = Bool.random(using: &random) ? nil : Int.random(in: -1...40, using: &random)
            let format = [PixelFormat.i420, .nv12].randomElement(using: &random) ?? .i420
            do throws(StreamError) {
                let reader = try RawReader(path: path, format: format, size: size, bytesPerRow: stride)
                opened += 1
                var count = 0
                while let frame = try reader.next() {
                    #expect(frame.planes.size == size)
                    count += 1
                }
                #expect(reader.info.duration == Rational(30).time(ofFrame: count))
            } catch {
                #expect([.malformed, .unsupported].contains(error.code))
            }
        }
        #expect(opened > 100)
    }
}

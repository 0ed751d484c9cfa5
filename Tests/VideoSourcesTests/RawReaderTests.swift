import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Pictures without a header.
struct RawReaderTests {
    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }

    @Test(arguments: PixelFormat.allCases, TestPatternTests.sizes.dropLast() + [VideoSize(width: 128, height: 20)])
    func framesFollowEachOther(_ format: PixelFormat, _ size: VideoSize) throws {
        let folder = TemporaryFolder()
        let length = format.packedByteCount(size)
        let bytes = Self.bytes(3 * length)
        let space = ColorSpace(matrix: .bt2020, range: .full)
        let reader = try RawReader(
            path: folder.write("a.yuv", bytes), format: format, size: size, frameRate: Rational(10), colorSpace: space,
            chromaLocation: .topLeft)
        #expect(reader.info.duration == .milliseconds(300))
        for _ in 0..<2 {
            for index in 0..<3 {
                let frame = try #require(try reader.next())
                #expect(frame.pixelBuffer.packedBytes == Array(bytes[index * length..<(index + 1) * length]))
                #expect(frame.presentationTime == .milliseconds(100 * index))
                #expect(frame.colorSpace == space)
                #expect(frame.chromaLocation == .topLeft)
            }
            #expect(try reader.next() == nil)
            try reader.rewind()
        }
    }

    /// Strides that are the buffer's own (64), smaller than it, larger than it, and odd.
    @Test(arguments: PixelFormat.allCases, [35, 36, 37, 63, 64, 65, 200]) func paddedRows(
        _ format: PixelFormat, _ stride: Int
    ) throws {
        let folder = TemporaryFolder()
        let size = VideoSize(width: 35, height: 23)
        // Written out: the chroma rows of I420 are half as long, those of NV12 as long as a pair of bytes allows.
        let half = (stride + 1) / 2
        let planes =
            format == .i420
            ? [(stride, 35, 23), (half, 18, 12), (half, 18, 12)] : [(stride, 35, 23), (half * 2, 36, 12)]
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
        #expect(try (0..<2).flatMap { _ in try reader.next()?.pixelBuffer.packedBytes ?? [] } == wanted)
        #expect(try reader.next() == nil)
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
            (4, 2, Int.max), (4, 2, 1 << 30 + 1),
        ] as [(Int, Int, Int?)]) func geometryOutOfRangeIsRefused(_ width: Int, _ height: Int, _ stride: Int?)
    {
        let folder = TemporaryFolder()
        let path = folder.write("a.yuv", Self.bytes(12))
        let error = #expect(throws: StreamError.self) {
            try RawReader(
                path: path, format: .i420, size: VideoSize(width: width, height: height), bytesPerRow: stride)
        }
        #expect(error?.code == .unsupported)
    }

    @Test func pipeBreaksOff() throws {
        try withPipe { input, output in
            let writer = try BackgroundWriter(Self.bytes(12 * 2 + 5), to: output, piece: 5)
            let reader = try RawReader(
                descriptor: input, name: "standard input", format: .nv12, size: VideoSize(width: 4, height: 2))
            #expect(reader.info.duration == nil)
            #expect(try reader.next() != nil)
            #expect(try reader.next()?.pixelBuffer.packedBytes == Array(Self.bytes(24)[12...]))
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
            let format = PixelFormat.allCases.randomElement(using: &random) ?? .i420
            do throws(StreamError) {
                let reader = try RawReader(path: path, format: format, size: size, bytesPerRow: stride)
                opened += 1
                var count = 0
                while let frame = try reader.next() {
                    #expect(frame.pixelBuffer.size == size)
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

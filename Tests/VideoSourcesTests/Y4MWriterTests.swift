import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// What is written is read back the same, and what cannot be written is said.
struct Y4MWriterTests {
    @Test(arguments: TestPatternTests.sizes.dropLast(), ChromaLocation.allCases) func roundTrip(
        _ size: VideoSize, _ location: ChromaLocation
    ) throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", [])
        let range: ColorSpace.Range = location == .left ? .full : .limited
        let info = StreamInfo(
            container: "test", size: size, frameRate: Rational(30_000, 1001),
            colorSpace: ColorSpace(matrix: .bt601, range: range), chromaLocation: location,
            pixelAspectRatio: Rational(10, 11))
        let pattern = try TestPatternReader(pattern: .gradient, size: size)
        let descriptor = open(path, O_WRONLY)
        var writer = try Y4MWriter(descriptor: descriptor, name: path, info: info)
        let written = try (0..<3).map { try pattern.frame(at: $0).pixelBuffer }
        for buffer in written { try writer.write(buffer) }
        close(descriptor)

        let reader = try Y4MReader(path: path)
        #expect(reader.info.size == size)
        #expect(reader.info.frameRate == info.frameRate)
        #expect(reader.info.colorSpace.range == range)
        #expect(reader.info.chromaLocation == location)
        #expect(reader.info.pixelAspectRatio == info.pixelAspectRatio)
        #expect(reader.info.duration == Rational(30_000, 1001).time(ofFrame: 3))
        let read = try Y4MReaderTests.readAll(reader)
        #expect(read.map(\.pixelBuffer.packedBytes) == written.map(\.packedBytes))
    }

    @Test func headerLine() throws {
        try withPipe { input, output in
            let info = StreamInfo(container: "test", size: VideoSize(width: 4, height: 2))
            _ = try Y4MWriter(descriptor: output, name: "pipe", info: info)
            close(output)
            var bytes = [UInt8](repeating: 0, count: 200)
            let count = read(input, &bytes, bytes.count)
            let line = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
            #expect(line == "YUV4MPEG2 W4 H2 F0:0 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n")
        }
    }

    /// A pipe holds less than a frame, so writing comes back with a part done, and, where it must not block, with none.
    @Test(arguments: [false, true]) func slowReader(_ nonBlocking: Bool) throws {
        let size = VideoSize(width: 641, height: 359)
        let buffer = try TestPatternReader(pattern: .gradient, size: size).frame(at: 4).pixelBuffer
        let folder = TemporaryFolder()
        try withPipe { input, output in
            if nonBlocking { #expect(fcntl(output, F_SETFL, O_NONBLOCK) == 0) }
            let copy = BackgroundReader(input)
            var writer = try Y4MWriter(
                descriptor: output, name: "pipe", info: StreamInfo(container: "test", size: size))
            for _ in 0..<3 { try writer.write(buffer) }
            close(output)
            let frames = try Y4MReaderTests.readAll(Y4MReader(path: folder.write("copy.y4m", copy.join())))
            #expect(frames.map(\.pixelBuffer.packedBytes) == Array(repeating: buffer.packedBytes, count: 3))
        }
    }

    @Test func fullDisk() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let info = StreamInfo(container: "test", size: VideoSize(width: 4, height: 2))
        let error = #expect(throws: StreamError.self) {
            try Y4MWriter(descriptor: descriptor, name: "/dev/full", info: info)
        }
        #expect(error?.code == .writeFailed)
        #expect(error?.underlying == ENOSPC)
        #expect(error?.description.contains("/dev/full cannot be written: the disk is full") == true)
    }

    @Test func nobodyReads() throws {
        signal(SIGPIPE, SIG_IGN)
        let buffer = try TestPatternReader(pattern: .bars, size: VideoSize(width: 4, height: 2)).frame(at: 0)
            .pixelBuffer
        try withPipe { input, output in
            defer { close(output) }
            var writer = try Y4MWriter(
                descriptor: output, name: "standard output", info: StreamInfo(container: "test", size: buffer.size))
            close(input)
            var error: StreamError?
            do throws(StreamError) { try writer.write(buffer) } catch let failure { error = failure }
            #expect(error?.code == .writeFailed)
            #expect(error?.underlying == EPIPE)
            #expect(error?.description.contains("standard output") == true)
        }
    }

    @Test func otherPicturesAreRefused() throws {
        let size = VideoSize(width: 4, height: 2)
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", [])
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        var writer = try Y4MWriter(
            descriptor: descriptor, name: path, info: StreamInfo(container: "test", size: size))
        for (format, other) in [(PixelFormat.nv12, size), (.i420, size.transposed)] {
            let buffer = try TestPatternReader(pattern: .bars, size: other, format: format).frame(at: 0).pixelBuffer
            var error: StreamError?
            do throws(StreamError) { try writer.write(buffer) } catch let failure { error = failure }
            #expect(error?.code == .unsupported)
        }
        #expect(try Y4MReader(path: path).next() == nil)
    }
}

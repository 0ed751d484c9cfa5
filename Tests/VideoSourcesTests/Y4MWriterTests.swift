import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Written frames are read back unchanged, and errors of writing are reported.
struct Y4MWriterTests {
    @Test(arguments: TestPatternTests.sizes.dropLast(), ChromaLocation.allCases) func roundTrip(
        _ size: VideoSize, _ location: ChromaLocation
    ) throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", [])
        let range: ColorSpace.Range = location == .left ? .full : .limited
        let info = StreamInfo(
            container: "test", size: size, frameRate: Rational(30_000, 1001),
            attributes: FrameAttributes(
                colorSpace: ColorSpace(matrix: .bt601, range: range), chromaLocation: location,
                pixelAspectRatio: Rational(10, 11)))
        let pattern = try TestPatternReader(pattern: .gradient, size: size)
        let descriptor = open(path, O_WRONLY)
        var writer = try Y4MWriter(descriptor: descriptor, name: path, info: info)
        let written = try (0..<3).map { try pattern.frame(at: $0).planes }
        for buffer in written { try writer.write(buffer) }
        close(descriptor)

        let reader = try Y4MReader(path: path)
        #expect(reader.info.size == size)
        #expect(reader.info.frameRate == info.frameRate)
        #expect(reader.info.colorSpace.range == range)
        // There are words for three of the six places: the nearest has the same column.
        let written420: [ChromaLocation: ChromaLocation] = [.top: .center, .bottom: .center, .bottomLeft: .left]
        #expect(reader.info.chromaLocation == written420[location] ?? location)
        #expect(reader.info.attributes.pixelAspectRatio == info.attributes.pixelAspectRatio)
        #expect(reader.info.duration == Rational(30_000, 1001).time(ofFrame: 3))
        let read = try Y4MReaderTests.readAll(reader)
        #expect(read.map(\.planes.packedBytes) == written.map(\.packedBytes))
    }

    static let formats: [(PixelFormat, String)] = [
        (.i411, "411"), (.i422, "422"), (.i440, "440"), (.i444, "444"), (.i444a, "444alpha"), (.gray8, "mono"),
        (.gray10, "mono10"), (.gray12, "mono12"), (.gray16, "mono16"), (.i009, "420p9"), (.i010, "420p10"),
        (.i012, "420p12"), (.i014, "420p14"), (.i016, "420p16"), (.i209, "422p9"), (.i210, "422p10"),
        (.i212, "422p12"), (.i214, "422p14"), (.i216, "422p16"), (.i409, "444p9"), (.i410, "444p10"),
        (.i412, "444p12"), (.i414, "444p14"), (.i416, "444p16"), (.i420, "420mpeg2"),
    ]

    @Test(arguments: formats) func everyFormat(_ format: PixelFormat, _ word: String) throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", [])
        let size = VideoSize(width: 35, height: 23)
        let bytes = RawReaderTests.bytes(format.packedByteCount(size))
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        let info = StreamInfo(container: "test", format: format, size: size)
        var writer = try Y4MWriter(descriptor: descriptor, name: path, info: info)
        let buffer = try PixelBuffer(packed: bytes, format: format, size: size)
        try writer.write(buffer)
        // The same upside down in memory: what is written begins with the first row all the same.
        try Self.withUpsideDown(buffer) { try writer.write($0) }
        let header =
            "YUV4MPEG2 W35 H23 F0:0 Ip A1:1 C\(word) XCOLORRANGE=\(info.colorSpace.range == .full ? "FULL" : "LIMITED")"
        let frame = Array("FRAME\n".utf8) + bytes
        var file = [UInt8](repeating: 0, count: 2 * frame.count + 200)
        let input = open(path, O_RDONLY)
        defer { close(input) }
        let count = read(input, &file, file.count)
        #expect(Array(file[..<max(0, count)]) == Array("\(header)\n".utf8) + frame + frame)
    }

    static func withUpsideDown(_ buffer: PixelBuffer, _ body: (PixelBuffer) throws -> Void) throws {
        var rows: [[UInt8]] = []
        for (index, description) in buffer.format.planes.enumerated() {
            var plane: [UInt8] = []
            for row in (0..<description.height(buffer.size)).reversed() {
                buffer.withRow(row, ofPlane: index) { $0.withUnsafeBytes { plane += $0 } }
            }
            rows.append(plane)
        }
        let memory = rows.map { plane in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: plane.count, alignment: 16)
            bytes.copyBytes(from: plane)
            return bytes
        }
        defer { for bytes in memory { bytes.deallocate() } }
        let planes = zip(memory, buffer.format.planes).map { bytes, description in
            PixelBuffer.Plane(
                bytes: UnsafeRawBufferPointer(bytes), bytesPerRow: -description.rowBytes(buffer.size))
        }
        try body(PixelBuffer(lending: planes, format: buffer.format, size: buffer.size) {})
    }

    @Test(arguments: PixelFormat.allCases.filter { format in !formats.contains { $0.0 == format } })
    func otherFormatsAreRefusedByName(_ format: PixelFormat) throws {
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", [])
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        let info = StreamInfo(container: "test", format: format, size: VideoSize(width: 4, height: 2))
        let error = #expect(throws: StreamError.self) {
            try Y4MWriter(descriptor: descriptor, name: path, info: info)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("\(format)") == true)
        #expect(lseek(descriptor, 0, SEEK_END) == 0)
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

    /// A pipe holds less than a frame, so a write completes only in part, and not at all if it would block.
    @Test(arguments: [false, true]) func slowReader(_ nonBlocking: Bool) throws {
        let size = VideoSize(width: 641, height: 359)
        let buffer = try TestPatternReader(pattern: .gradient, size: size).frame(at: 4).planes
        let folder = TemporaryFolder()
        try withPipe { input, output in
            if nonBlocking { #expect(fcntl(output, F_SETFL, O_NONBLOCK) == 0) }
            let copy = BackgroundReader(input)
            var writer = try Y4MWriter(
                descriptor: output, name: "pipe", info: StreamInfo(container: "test", size: size))
            for _ in 0..<3 { try writer.write(buffer) }
            close(output)
            let frames = try Y4MReaderTests.readAll(Y4MReader(path: folder.write("copy.y4m", copy.join())))
            #expect(frames.map(\.planes.packedBytes) == Array(repeating: buffer.packedBytes, count: 3))
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
            .planes
        // Not `withPipe`, which closes the read end, too: by then the number may belong to another test's file.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
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

    @Test func otherPicturesAreRefused() throws {
        let size = VideoSize(width: 4, height: 2)
        let folder = TemporaryFolder()
        let path = folder.write("a.y4m", [])
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        var writer = try Y4MWriter(
            descriptor: descriptor, name: path, info: StreamInfo(container: "test", size: size))
        for (format, other) in [(PixelFormat.nv12, size), (.i420, size.transposed)] {
            let buffer = try TestPatternReader(pattern: .bars, size: other, format: format).frame(at: 0).planes
            var error: StreamError?
            do throws(StreamError) { try writer.write(buffer) } catch let failure { error = failure }
            #expect(error?.code == .unsupported)
        }
        #expect(try Y4MReader(path: path).next() == nil)
    }
}

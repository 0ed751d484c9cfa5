import Glibc
import MediaIO
import TestSupport
import Testing
import VideoSources

/// Y4M from files and pipes, whole and broken.
struct Y4MReaderTests {
    /// A file whose frame `n` has the bytes n, n + 1, … .
    static func file(_ header: String, frameBytes: Int, frames: Int, frameHeader: String = "FRAME") -> [UInt8] {
        (0..<frames).reduce(into: Array("\(header)\n".utf8)) { bytes, frame in
            bytes += "\(frameHeader)\n".utf8
            bytes += (0..<frameBytes).map { UInt8(truncatingIfNeeded: $0 + frame) }
        }
    }

    static func readAll(_ reader: Y4MReader) throws -> [VideoFrame] {
        var frames: [VideoFrame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return frames
    }

    struct Header {
        let line: String
        let location: ChromaLocation?
        let range: ColorSpace.Range
        let rate: Rational?
        let aspect: Rational

        init(
            _ line: String, _ location: ChromaLocation? = nil, _ range: ColorSpace.Range = .limited,
            rate: Rational? = nil, aspect: Rational = .one
        ) {
            (self.line, self.location, self.range, self.rate, self.aspect) = (line, location, range, rate, aspect)
        }
    }

    @Test(arguments: [
        Header("W4 H2"),
        Header("H2 W4"),
        Header("W4  H2 "),
        Header("W4 H2 C420", .center),
        Header("W4 H2 C420jpeg", .center),
        Header("W4 H2 C420mpeg2", .left),
        Header("W4 H2 C420paldv", .topLeft),
        Header("W4 H2 XYSCSS=420MPEG2", .left),
        Header("W4 H2 C420jpeg XYSCSS=420MPEG2", .center),
        Header("W4 H2 XYSCSS=420JPEG", .center),
        Header("W4 H2 XCOLORRANGE=FULL", nil, .full),
        Header("W4 H2 C420mpeg2 XCOLORRANGE=LIMITED", .left),
        Header("W4 H2 XCOLORRANGE=OTHER Xany=thing X Z9"),
        Header("W4 H2 F30000:1001 A10:11", rate: Rational(30_000, 1001), aspect: Rational(10, 11)),
        Header("W4 H2 F0:0 A0:0"),
        Header("W4 H2 F25:1 It", rate: Rational(25)),
        Header("W4 H2 F25:1 Ib", rate: Rational(25)),
        Header("W4 H2 F25:1 Im", rate: Rational(25)),
        Header("W4 H2 F25:1 I?", rate: Rational(25)),
    ]) func headerIsUnderstood(_ test: Header) throws {
        let folder = TemporaryFolder()
        let bytes = Self.file("YUV4MPEG2 \(test.line)", frameBytes: 12, frames: 3)
        let reader = try Y4MReader(path: folder.write("a.y4m", bytes))
        #expect(reader.info.size == VideoSize(width: 4, height: 2))
        #expect(reader.info.attributes.colorTags.chromaLocation == test.location)
        #expect(reader.info.chromaLocation == test.location ?? .left)
        #expect(reader.info.colorSpace.range == test.range)
        #expect(reader.info.colorSpace.matrix == .bt601)
        #expect(reader.info.frameRate == test.rate)
        #expect(reader.info.attributes.pixelAspectRatio == test.aspect)
        #expect(reader.info.duration == test.rate?.time(ofFrame: 3))
        #expect(reader.info.container == "y4m")
        let frames = try Self.readAll(reader)
        #expect(frames.count == 3)
        for (index, frame) in frames.enumerated() {
            #expect(frame.planes.packedBytes == (0..<12).map { UInt8($0 + index) })
            #expect(frame.time == (test.rate ?? Rational(25)).time(ofFrame: index))
            #expect(frame.colorSpace == reader.info.colorSpace)
            #expect(frame.attributes.pixelAspectRatio == test.aspect)
            #expect(frame.attributes == reader.info.attributes)
        }
        #expect(try reader.next() == nil)
        try reader.rewind()
        #expect(try Self.readAll(reader).map(\.planes.packedBytes) == frames.map(\.planes.packedBytes))
    }

    /// Every word for a layout, with the bytes of a frame of 3 × 3 worked out by hand.
    @Test(
        arguments: [
            ("420", .i420, 17, .center), ("420jpeg", .i420, 17, .center), ("420mpeg2", .i420, 17, .left),
            ("420paldv", .i420, 17, .topLeft), ("411", .i411, 15, .left), ("422", .i422, 21, .left),
            ("440", .i440, 21, .left), ("444", .i444, 27, .left), ("444alpha", .i444a, 36, .left),
            ("mono", .gray8, 9, .left), ("mono10", .gray10, 18, .left), ("mono12", .gray12, 18, .left),
            ("mono16", .gray16, 18, .left), ("420p9", .i009, 34, .left), ("420p10", .i010, 34, .left),
            ("420p12", .i012, 34, .left), ("420p14", .i014, 34, .left), ("420p16", .i016, 34, .left),
            ("422p9", .i209, 42, .left), ("422p10", .i210, 42, .left), ("422p12", .i212, 42, .left),
            ("422p14", .i214, 42, .left), ("422p16", .i216, 42, .left), ("444p9", .i409, 54, .left),
            ("444p10", .i410, 54, .left), ("444p12", .i412, 54, .left), ("444p14", .i414, 54, .left),
            ("444p16", .i416, 54, .left),
        ] as [(String, PixelFormat, Int, ChromaLocation)], ["C", "XYSCSS="]) func everyLayout(
            _ layout: (word: String, format: PixelFormat, bytes: Int, location: ChromaLocation), _ tag: String
        ) throws
    {
        let folder = TemporaryFolder()
        let word = tag == "C" ? layout.word : layout.word.uppercased()
        let header = "YUV4MPEG2 W3 H3 F25:1 \(tag)\(word)"
        let path = folder.write("a.y4m", Self.file(header, frameBytes: layout.bytes, frames: 2))
        let reader = try Y4MReader(path: path)
        let size = VideoSize(width: 3, height: 3)
        #expect(reader.info.format == layout.format)
        #expect(reader.info.chromaLocation == layout.location)
        #expect(reader.info.colorSpace == .unspecified(for: size, format: layout.format))
        #expect(reader.info.duration == .milliseconds(80))
        let frames = try Self.readAll(reader)
        #expect(frames.map(\.planes.format) == [layout.format, layout.format])
        #expect(
            frames.map(\.planes.packedBytes)
                == (0..<2).map { frame in (0..<layout.bytes).map { UInt8($0 + frame) } })
    }

    /// Gray of 9 and 14 bits has no format of its own: white is white in the next larger one.
    @Test(arguments: [
        ("mono9", PixelFormat.gray10, "FULL", [0, 255, 511], [0, 510, 1023]),
        ("mono9", .gray10, "LIMITED", [32, 470, 511], [64, 940, 1022]),
        ("mono14", .gray16, "FULL", [0, 8191, 16_383], [0, 32_765, 65_535]),
        ("mono14", .gray16, "LIMITED", [1024, 15_040, 16_383], [4096, 60_160, 65_532]),
    ]) func grayIsWidened(
        _ word: String, _ format: PixelFormat, _ range: String, _ stored: [Int], _ expected: [Int]
    ) throws {
        func bytes(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
        let folder = TemporaryFolder()
        let header = Array("YUV4MPEG2 W3 H1 C\(word) XCOLORRANGE=\(range)\nFRAME\n".utf8)
        let reader = try Y4MReader(path: folder.write("a.y4m", header + bytes(stored)))
        #expect(reader.info.format == format)
        #expect(try reader.next()?.planes.packedBytes == bytes(expected))
        #expect(try reader.next() == nil)
    }

    @Test func headerWithoutFramesIsAnEmptyStream() throws {
        let folder = TemporaryFolder()
        let reader = try Y4MReader(path: folder.write("none.y4m", Array("YUV4MPEG2 W4 H2 F25:1\n".utf8)))
        #expect(reader.info.duration == .zero)
        #expect(try reader.next() == nil)
    }

    @Test func frameParametersAreSkipped() throws {
        let folder = TemporaryFolder()
        let bytes = Self.file("YUV4MPEG2 W4 H2 Im", frameBytes: 12, frames: 3, frameHeader: "FRAME Itpp Xcomment")
        #expect(try Self.readAll(Y4MReader(path: folder.write("p.y4m", bytes))).count == 3)
    }

    /// The bytes come in pieces of every size, so that each of them once ends a system call's result.
    @Test(arguments: [1, 2, 3, 7, 26, 4095]) func pipeInPieces(_ piece: Int) throws {
        let bytes = Self.file("YUV4MPEG2 W33 H21 F10:1", frameBytes: 33 * 21 + 2 * 17 * 11, frames: 3)
        try withPipe { input, output in
            let writer = try BackgroundWriter(bytes, to: output, piece: piece)
            let reader = try Y4MReader(descriptor: input, name: "standard input")
            #expect(reader.info.duration == nil)
            let frames = try Self.readAll(reader)
            writer.join()
            #expect(frames.map(\.planes.packedBytes[5]) == [5, 6, 7])
            let error = #expect(throws: StreamError.self) { try reader.rewind() }
            #expect(error?.code == .unsupported)
            #expect(error?.description.contains("standard input") == true)
        }
    }

    @Test func descriptorIsReadFromWhereItStands() throws {
        let folder = TemporaryFolder()
        let bytes = Self.file("YUV4MPEG2 W4 H2 F25:1", frameBytes: 12, frames: 2)
        let path = folder.write("later.y4m", Array("something else".utf8) + bytes)
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        lseek(descriptor, 14, SEEK_SET)
        let reader = try Y4MReader(descriptor: descriptor, name: path)
        #expect(reader.info.duration == .milliseconds(80))
        #expect(try Self.readAll(reader).count == 2)
        try reader.rewind()
        #expect(try Self.readAll(reader).count == 2)
    }

    @Test func buffersAreUsedAgain() throws {
        let folder = TemporaryFolder()
        let bytes = Self.file("YUV4MPEG2 W4 H2 F25:1", frameBytes: 12, frames: 100)
        let reader = try Y4MReader(path: folder.write("many.y4m", bytes))
        var objects: Set<ObjectIdentifier> = []
        while let frame = try reader.next() { objects.insert(ObjectIdentifier(frame.planes)) }
        #expect(objects.count == 1)
    }
}

import FFmpegMedia
import Glibc
import MediaIO
import TestSupport
import Testing

/// What is encoded, read back by FFmpeg's own program.
@Suite(.timeLimit(.minutes(25)))
struct StreamWriterTests {
    private let folder: ClipFolder

    init() throws { folder = try ClipFolder() }

    /// Writes pictures of noise; returns their samples, each row without padding.
    private func write(
        _ name: String, _ size: VideoSize, count: Int, rate: Rational = Rational(25),
        _ encoding: VideoEncoding = VideoEncoding()
    ) throws -> [UInt8] {
        let file = open(folder.file(name), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        let container = try #require(MediaContainer(path: name))
        let writer = try StreamWriter(
            descriptor: file, name: name, container: container, size: size, frameRate: rate, encoding: encoding)
        var (samples, noise) = ([UInt8](), UInt32(1))
        for _ in 0..<count {
            let bytes = (0..<PixelFormat.i420.packedByteCount(size)).map { _ in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                return 16 + UInt8(noise >> 24) % 220
            }
            try writer.write(try PixelBuffer(packed: bytes, format: .i420, size: size))
            samples += bytes
        }
        try writer.finish()
        return samples
    }

    @Test(
        "Lossless codecs give the same code values, in every container that has them",
        arguments: [
            ("a.mp4", PacketCodec.h264), ("a.mkv", .h264), ("a.ts", .h264), ("a.mov", .h264), ("a.mkv", .ffv1),
            ("a.mp4", .hevc), ("a.webm", .vp9), ("a.mkv", .av1),
        ], VideoEncoding.Tuning.allCases)
    func lossless(_ clip: (name: String, codec: PacketCodec), _ tuning: VideoEncoding.Tuning) throws {
        let samples = try write(
            clip.name, VideoSize(width: 162, height: 94), count: 7,
            VideoEncoding(codec: clip.codec, rate: .lossless, tuning: tuning))
        let decoded = try folder.decodedBytes(clip.name)
        #expect(decoded.count == samples.count)
        #expect(decoded.elementsEqual(samples), "The samples differ.")
    }

    @Test(
        "So do 10 bits, whose file says BT.2020",
        arguments: [
            ("a.mp4", PacketCodec.h264), ("a.mkv", .h264), ("a.mkv", .ffv1), ("a.mp4", .hevc), ("a.webm", .vp9),
            ("a.mkv", .av1),
        ], [VideoSize(width: 162, height: 94), VideoSize(width: 33, height: 17)])
    func deep(_ clip: (name: String, codec: PacketCodec), _ size: VideoSize) throws {
        let file = open(folder.file(clip.name), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        let writer = try StreamWriter(
            descriptor: file, name: clip.name, container: try #require(MediaContainer(path: clip.name)), size: size,
            frameRate: Rational(25),
            encoding: VideoEncoding(codec: clip.codec, rate: .lossless, tuning: .live, colors: .bt2020))
        let space = ColorSpace(matrix: .bt2020, range: .limited, primaries: .bt2020)
        #expect(writer.format == .i010 && writer.colorSpace == space)
        var noise = UInt32(1)
        let samples = (0..<PixelFormat.i010.packedByteCount(size) / 2).map { _ in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            return 64 + UInt16(noise >> 20) % 870
        }
        let picture = try PixelBuffer(
            packed: samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, format: .i010, size: size)
        for _ in 0..<3 { try writer.write(picture) }
        try writer.finish()
        let reader = try folder.reader(clip.name)
        #expect(reader.info.colorSpace == space, "\(reader.info.colorSpace)")
        var count = 0
        while let frame = try reader.next() {
            count += 1
            #expect(frame.planes.format == .i010)
            // An odd side is made even.
            for (index, plane) in PixelFormat.i010.planes.enumerated() {
                for row in 0..<plane.height(frame.planes.size) {
                    let own = picture.withRow(min(row, plane.height(size) - 1), ofPlane: index) { bytes in
                        bytes.indices.map { bytes[$0] }
                    }
                    let other = frame.planes.withRow(row, ofPlane: index) { bytes in bytes.indices.map { bytes[$0] } }
                    let missing = (other.count - own.count) / 2
                    let expected = own + (0..<missing).flatMap { _ in own.suffix(2) }
                    try #require(other == expected, "\(count), \(index), \(row)")
                }
            }
        }
        #expect(count == 3)
    }

    @Test("An odd side is made even: the last column and row are repeated")
    func oddSize() throws {
        let samples = try write(
            "a.mkv", VideoSize(width: 33, height: 17), count: 2, VideoEncoding(codec: .h264, rate: .lossless))
        let decoded = try folder.decodedBytes("a.mkv")
        // The same chroma, 17 × 9; luma with one column and one row more.
        let (picture, coded) = (33 * 17 + 2 * 17 * 9, 34 * 18 + 2 * 17 * 9)
        #expect(decoded.count == 2 * coded && samples.count == 2 * picture)
        for number in 0..<2 {
            let (own, other) = (samples[(number * picture)...], decoded[(number * coded)...])
            for row in 0..<18 {
                let line = own.dropFirst(min(row, 16) * 33).prefix(33)
                #expect(Array(other.dropFirst(row * 34).prefix(34)) == Array(line) + [line.last])
            }
            #expect(own.dropFirst(33 * 17).prefix(306).elementsEqual(other.dropFirst(34 * 18).prefix(306)))
        }
    }

    @Test(
        "Size, rate, duration, colours and siting are in the file",
        arguments: [
            ("a.mp4", PacketCodec.h264, true), ("a.mkv", .h264, true), ("a.ts", .h264, true), ("a.mov", .h264, true),
            ("a.mp4", .hevc, true), ("a.webm", .vp9, true), ("a.mkv", .ffv1, true), ("a.webm", .vp8, true),
            ("a.mkv", .motionJPEG, true), ("a.mp4", .av1, false),
        ])
    func tags(_ name: String, _ codec: PacketCodec, _ saysSiting: Bool) throws {
        _ = try write(
            name, VideoSize(width: 64, height: 48), count: 30, rate: Rational(30000, 1001), VideoEncoding(codec: codec))
        let reader = try folder.reader(name)
        let info = reader.info
        #expect(info.codec == codec.rawValue && info.size == VideoSize(width: 64, height: 48))
        #expect(abs((info.frameRate?.value ?? 0) - 29.97) < 0.01)
        if codec != .vp8 {
            #expect(info.colorSpace.matrix == (codec == .motionJPEG ? .bt601 : .bt709))
            #expect(info.colorSpace.range == (codec == .motionJPEG ? .full : .limited))
            #expect(info.colorSpace.primaries == .bt709 && info.colorSpace.transfer == .bt709)
        }
        if saysSiting { #expect(info.chromaLocation == .center) }
        var times: [Duration] = []
        while let frame = try reader.next() { times.append(frame.presentationTime ?? .zero) }
        #expect(times.count == 30)
        let rate = Rational(30000, 1001)
        for (index, time) in times.enumerated() {
            let difference = time - times[0] - rate.time(ofFrame: index)
            #expect(difference >= .milliseconds(-1) && difference <= .milliseconds(1), "\(index): \(difference)")
        }
    }

    @Test("Key frames are as far apart as asked, and lower quality takes fewer bytes")
    func options() throws {
        let size = VideoSize(width: 160, height: 96)
        _ = try write("a.mkv", size, count: 24, VideoEncoding(rate: .quality(20), keyFrameInterval: 8))
        _ = try write("b.mkv", size, count: 24, VideoEncoding(rate: .quality(45), keyFrameInterval: 8))
        _ = try write("c.mkv", size, count: 24, VideoEncoding(rate: .bitRate(200_000), tuning: .live))
        let (a, b, c) = (
            try folder.bytes("a.mkv").count, try folder.bytes("b.mkv").count, try folder.bytes("c.mkv").count
        )
        #expect(b < a / 2 && c < a / 2)
        let packets = try MediaPacketReader(folder.location("a.mkv"))
        var keys: [Int] = []
        var index = 0
        while let packet = try packets.next() {
            if packet.isKeyFrame { keys.append(index) }
            index += 1
        }
        #expect(index == 24 && keys.first == 0)
        // There may be more: noise is a new scene in every picture.
        #expect(zip(keys, keys.dropFirst() + [24]).allSatisfy { $1 - $0 <= 8 }, "\(keys)")
    }

    @Test("An MP4 that is written to a pipe is written in fragments")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        #expect(Glibc.pipe(&ends) == 0)
        defer { close(ends[0]) }
        let size = VideoSize(width: 64, height: 48)
        let writer = try StreamWriter(
            descriptor: ends[1], name: "a", container: .mp4, size: size, frameRate: Rational(25))
        let grey = try PixelBuffer(
            packed: [UInt8](repeating: 128, count: 64 * 48 * 3 / 2), format: .i420, size: size)
        for _ in 0..<5 { try writer.write(grey) }
        // Far less than the 64 KiB that a pipe holds.
        try writer.finish()
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(ends[0], &bytes, bytes.count)
        try folder.write(bytes[..<count], to: "a.mp4")
        #expect(try folder.decodedBytes("a.mp4").count == 5 * 64 * 48 * 3 / 2)
    }

    @Test(
        "What cannot be encoded is refused, with what can",
        arguments: [
            ("a.webm", VideoEncoding(codec: .h264), "vp9"), ("a.mp4", VideoEncoding(codec: .vp8), "h264"),
            ("a.mp4", VideoEncoding(rate: .quality(52)), "0 (best) to 51"),
            ("a.mkv", VideoEncoding(codec: .ffv1, rate: .quality(1)), "lossless"),
            ("a.mkv", VideoEncoding(codec: .vp8, rate: .lossless), "ffv1"),
            ("a.mkv", VideoEncoding(codec: PacketCodec(rawValue: "h263")), "h264"),
            ("a.mkv", VideoEncoding(codec: .motionJPEG, depth: 10), "hevc"),
            ("a.webm", VideoEncoding(codec: .vp8, colors: .bt2020), "10 bits"),
            ("a.mp4", VideoEncoding(depth: 8, colors: .bt2020), "choose 10, or bt709"),
            ("a.mp4", VideoEncoding(depth: 12), "choose 8 or 10"),
        ])
    func refusals(_ name: String, _ encoding: VideoEncoding, _ text: String) throws {
        let error = try #require(throws: StreamError.self) {
            _ = try write(name, VideoSize(width: 64, height: 48), count: 1, encoding)
        }
        #expect(error.code == .unsupported && error.description.contains(text), "\(error)")
    }

    @Test("A full disk is an error, at the latest at the end")
    func fullDisk() throws {
        let file = open("/dev/full", O_WRONLY)
        defer { close(file) }
        let size = VideoSize(width: 64, height: 48)
        let grey = try PixelBuffer(
            packed: [UInt8](repeating: 128, count: 64 * 48 * 3 / 2), format: .i420, size: size)
        let error = try #require(throws: StreamError.self) {
            let writer = try StreamWriter(
                descriptor: file, name: "a.ts", container: .transportStream, size: size, frameRate: Rational(25))
            for _ in 0..<500 { try writer.write(grey) }
            try writer.finish()
        }
        #expect(error.code == .writeFailed && error.underlying == ENOSPC, "\(error)")
    }

    @Test("Pictures of another size or format are refused")
    func otherPictures() throws {
        let file = open(folder.file("a.mkv"), O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        let size = VideoSize(width: 64, height: 48)
        let writer = try StreamWriter(
            descriptor: file, name: "a.mkv", container: .matroska, size: size, frameRate: Rational(25))
        for (format, other) in [(PixelFormat.nv12, size), (.i420, VideoSize(width: 62, height: 48))] {
            let error = try #require(throws: StreamError.self) {
                try writer.write(try PixelBuffer(format: format, size: other) { _ in })
            }
            #expect(error.code == .unsupported)
        }
    }
}

import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Packets that a program has itself become pictures, whatever the codec, and what is lost costs few of them.
@Suite(.timeLimit(.minutes(30))) struct EncodedPacketTests {
    struct Row: CustomTestStringConvertible {
        var codec: PacketCodec
        var arguments: [String]
        var file: String
        var pixelFormat = "yuv420p"
        var testDescription: String { file }
    }

    /// A key frame in every ten.
    private static let group = 10
    private static let count = 30
    private static let rows = [
        Row(
            codec: .h264,
            arguments: ["-c:v", "libx264", "-bf", "2", "-sc_threshold", "0", "-bsf:v", "h264_metadata=aud=insert"],
            file: "reordered.h264"),
        Row(
            codec: .hevc,
            arguments: [
                "-c:v", "libx265", "-x265-params", "log-level=error:scenecut=0:open-gop=0", "-bsf:v",
                "hevc_metadata=aud=insert",
            ], file: "a.hevc"),
        Row(codec: .vp8, arguments: ["-c:v", "libvpx", "-auto-alt-ref", "0"], file: "vp8.ivf"),
        Row(
            codec: .vp9, arguments: ["-c:v", "libvpx-vp9", "-auto-alt-ref", "0", "-lag-in-frames", "0"], file: "vp9.ivf"
        ),
        Row(codec: .av1, arguments: ["-c:v", "libaom-av1", "-cpu-used", "8", "-lag-in-frames", "0"], file: "av1.ivf"),
    ]

    /// The packets of a clip.
    private static func packets(_ row: Row, in folder: ClipFolder) throws -> [[UInt8]] {
        try folder.makeClip(
            row.file, size: "66x50", frames: count,
            row.arguments + ["-g", "\(group)", "-keyint_min", "\(group)", "-pix_fmt", row.pixelFormat])
        let bytes = try folder.bytes(row.file)
        guard row.file.hasSuffix("ivf") else {
            // An access unit delimiter, with a start code of four bytes, begins each of them.
            return PacketClip.split(bytes, at: row.codec == .h264 ? [0, 0, 0, 1, 9] : [0, 0, 0, 1, 0x46])
        }
        return PacketClip.unpack(bytes)
    }

    private static func frame(
        _ bytes: [UInt8], _ number: Int, _ codec: PacketCodec, _ framing: EncodedPacket.Framing = .startCodes,
        _ configuration: [UInt8] = []
    ) throws -> VideoFrame {
        let packet = try bytes.withUnsafeBytes {
            try EncodedPacket(
                copying: $0, codec: codec, size: VideoSize(width: 66, height: 50),
                isKeyFrame: number % group == 0, framing: framing, configuration: configuration)
        }
        return VideoFrame(.encoded(packet), presentationTime: .milliseconds(40 * number))
    }

    /// Decodes frames, and returns the samples of each picture.
    private static func pictures(_ frames: [VideoFrame]) throws -> [[UInt8]] {
        let packets = PushSource(name: "packets", bufferKind: .encoded)
        let result = Monitor<(pictures: [[UInt8]], hasEnded: Bool)>(([], false))
        let consumer = FrameHandler(onCondition: { condition in
            if condition == .ended { result.change { $0.hasEnded = true } }
        }) { frame in result.change { $0.pictures.append(frame.packedBytes) } }
        let source = DecodingSource(packets) { packet throws(StreamError) in try MediaPacketDecoder(for: packet) }
        try source.initialize(consumer: consumer)
        try source.start()
        for frame in frames { #expect(packets.push(frame) == .delivered) }
        packets.report(.ended)
        let hasEnded: Void? = result.wait(until: .now + .seconds(60)) { $0.hasEnded ? () : nil }
        #expect(hasEnded != nil)
        source.dispose()
        return result.withLock { $0.pictures }
    }

    private static func expected(_ row: Row, in folder: ClipFolder) throws -> [[UInt8]] {
        let bytes = try folder.decodedBytes(row.file, pixelFormat: row.pixelFormat)
        let length = bytes.count / count
        return (0..<count).map { Array(bytes[$0 * length..<($0 + 1) * length]) }
    }

    @Test(arguments: rows.indices) func picturesAreThoseOfFFmpeg(_ index: Int) throws {
        let row = Self.rows[index]
        let folder = try ClipFolder()
        let packets = try Self.packets(row, in: folder)
        #expect(packets.count == Self.count)
        let pictures = try Self.pictures(packets.enumerated().map { try Self.frame($1, $0, row.codec) })
        #expect(pictures.count == Self.count)
        #expect(pictures == (try Self.expected(row, in: folder)))
    }

    /// Spatial layers: a packet of VP9 has several pictures, of which the last one is shown (VP9 bitstream, Annex B).
    @Test func theLastLayerIsShownAndNothingIsLost() throws {
        let row = try #require(Self.rows.first { $0.codec == .vp9 })
        let folder = try ClipFolder()
        let packets = try Self.packets(row, in: folder)
        let lower: Set = [4, 6, 8, 14, 16, 22]
        var frames: [VideoFrame] = []
        for number in packets.indices where !lower.contains(number) {
            var bytes = packets[number]
            if lower.contains(number - 1) {
                let parts = [packets[number - 1], bytes]
                // Two sizes of two bytes each, between two equal marks.
                let mark: [UInt8] = [0b1100_1001]
                let sizes = parts.flatMap {
                    [UInt8(truncatingIfNeeded: $0.count), UInt8(truncatingIfNeeded: $0.count >> 8)]
                }
                bytes = Array(parts.joined()) + mark + sizes + mark
            }
            frames.append(try Self.frame(bytes, number, .vp9))
        }
        let expected = try Self.expected(row, in: folder)
        let shown = expected.indices.filter { !lower.contains($0) }.map { expected[$0] }
        #expect(try Self.pictures(frames) == shown)
    }

    /// The units after their lengths, as RTP and MP4 have them: with the decoder's record and without.
    @Test(arguments: [1, 2, 4], [false, true]) func lengthsInsteadOfStartCodes(_ byteCount: Int, _ hasRecord: Bool)
        throws
    {
        // A record says how many bytes lengths have.
        if hasRecord, byteCount != 4 { return }
        var row = Self.rows[0]
        // Units of less than 256 bytes.
        if byteCount == 1 { row.arguments += ["-x264-params", "slice-max-size=200", "-qp", "45"] }
        let folder = try ClipFolder()
        let packets = try Self.packets(row, in: folder)
        var record: [UInt8] = []
        if hasRecord {
            try folder.ffmpeg(["-i", folder.file(row.file), "-c", "copy", folder.file("a.mp4")])
            let file = try folder.bytes("a.mp4")
            let start = try #require(file.indices.first { file[$0...].starts(with: Array("avcC".utf8)) })
            let length = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
            record = Array(file[start + 4..<start - 4 + length])
            #expect(record.first == 1)
        }
        let frames = try packets.enumerated().map { number, packet in
            // The encoder's own remark is longer than 255 bytes, and says nothing of the picture.
            let units = Self.units(packet).filter { $0[0] & 31 != 6 }.flatMap { unit in
                (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
            }
            return try Self.frame(units, number, .h264, .lengths(byteCount: byteCount), record)
        }
        #expect(try Self.pictures(frames) == (try Self.expected(row, in: folder)))
    }

    /// Splits a packet at its start codes.
    private static func units(_ packet: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var place = 0
        while place < packet.count {
            let rest = packet[place...]
            if rest.starts(with: [0, 0, 0, 1]) || rest.starts(with: [0, 0, 1]) {
                place += rest.starts(with: [0, 0, 1]) ? 3 : 4
                units.append([])
            } else {
                units[units.count - 1].append(packet[place])
                place += 1
            }
        }
        return units
    }

    /// One packet of the first group of pictures is missing, cut off, or noise; from the next one on all is as it was.
    @Test(arguments: rows.indices, ["missing", "cut off", "noise"]) func damageEndsWithTheGroupOfPictures(
        _ index: Int, _ damage: String
    ) throws {
        let row = Self.rows[index]
        let folder = try ClipFolder()
        let packets = try Self.packets(row, in: folder)
        var random = SeededGenerator(seed: 5)
        var frames = try packets.enumerated().map { try Self.frame($1, $0, row.codec) }
        switch damage {
        case "missing": frames.remove(at: 4)
        case "cut off": frames[4] = try Self.frame(Array(packets[4].prefix(packets[4].count / 2)), 4, row.codec)
        default:
            let noise = packets[4].map { _ in UInt8.random(in: 0...255, using: &random) }
            frames[4] = try Self.frame(noise, 4, row.codec)
        }
        let pictures = try Self.pictures(frames)
        let expected = try Self.expected(row, in: folder)
        #expect(pictures.suffix(20) == expected.suffix(20))
        #expect((20...30).contains(pictures.count))
    }

    /// Packets of noise are no pictures and no crash.
    @Test(arguments: PacketCodec.video) func noiseAlone(_ codec: PacketCodec) throws {
        var random = SeededGenerator(seed: 9)
        let frames = try (0..<20).map { number in
            let length = Int.random(in: 1...3000, using: &random)
            return try Self.frame(
                (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }, number, codec,
                number % 2 == 0 || codec == .vp8 || codec != .h264 && codec != .hevc
                    ? .startCodes : .lengths(byteCount: 2))
        }
        _ = try Self.pictures(frames)
    }
}

import FFmpegMedia
import MediaIO
import TestSupport
import Testing

/// Packets without a container, against FFmpeg's own program.
@Suite struct PacketDecoderTests {
    private struct Row {
        var codec: PacketCodec
        var arguments: [String]
        var file: String
        /// The bytes that every packet begins with.
        var mark: [UInt8]
        var pixelFormat: String
        var format: PixelFormat
    }

    private static let rows = [
        Row(
            codec: .motionJPEG, arguments: ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj422p", "-f", "mjpeg"],
            file: "a.mjpeg", mark: [0xff, 0xd8, 0xff], pixelFormat: "yuvj422p", format: .i422),
        Row(
            codec: .motionJPEG, arguments: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-f", "mjpeg"],
            file: "b.mjpeg", mark: [0xff, 0xd8, 0xff], pixelFormat: "yuvj420p", format: .i420),
        Row(
            codec: .h264,
            arguments: [
                "-c:v", "libx264", "-pix_fmt", "yuv420p", "-tune", "zerolatency", "-bsf:v", "h264_metadata=aud=insert",
                "-f", "h264",
            ],
            file: "c.h264", mark: [0, 0, 0, 1, 9], pixelFormat: "yuv420p", format: .i420),
    ]

    /// Splits a file where packets begin.
    private static func packets(_ bytes: [UInt8], _ mark: [UInt8]) -> [ArraySlice<UInt8>] {
        let starts = bytes.indices.filter { bytes[$0...].starts(with: mark) } + [bytes.count]
        return zip(starts, starts.dropFirst()).map { bytes[$0..<$1] }
    }

    private static func packet(_ bytes: [UInt8], _ track: TrackInfo) throws -> EncodedPacket {
        try bytes.withUnsafeBytes {
            try EncodedPacket(copying: $0, of: track, marks: EncodedPacket.Marks(isKeyFrame: true))
        }
    }

    @Test(arguments: rows.indices, [nil, CountingMemory()])
    func framesAreThoseOfFFmpeg(_ index: Int, _ memory: CountingMemory?) throws {
        let row = Self.rows[index]
        let folder = try ClipFolder()
        try folder.makeClip(row.file, size: "66x50", frames: 8, row.arguments)
        let packets = Self.packets(try folder.bytes(row.file), row.mark)
        #expect(packets.count == 8)
        let track = TrackInfo(codec: row.codec)
        let decoder = try MediaPacketDecoder(for: track, options: MediaPacketDecoder.Options())
        decoder.adapt(to: VideoSinkWants(memory: memory))
        var frames: [VideoFrame] = []
        for (number, packet) in packets.enumerated() {
            let time = Duration.milliseconds(40 * number)
            let frame = try decoder.decode(Self.packet(Array(packet), track), at: time)
            guard let frame else { continue }
            #expect(frame.image.format == row.format && frame.presentationTime == time)
            if row.codec == .motionJPEG {
                #expect(frame.colorSpace.range == .full && frame.colorSpace.matrix == .bt601)
            }
            #expect(frame.planes.memory === memory)
            frames.append(frame)
        }
        #expect(frames.flatMap(\.packedBytes) == (try folder.decodedBytes(row.file, pixelFormat: row.pixelFormat)))
    }

    @Test func damagedPacketsAreErrorsAndTheNextOneIsDecoded() throws {
        let row = Self.rows[0]
        let folder = try ClipFolder()
        try folder.makeClip(row.file, frames: 2, row.arguments)
        let packets = Self.packets(try folder.bytes(row.file), row.mark)
        let track = TrackInfo(codec: .motionJPEG)
        let decoder = try MediaPacketDecoder(for: track, options: MediaPacketDecoder.Options())
        for bytes: [UInt8] in [[1, 2, 3], Array(packets[0].prefix(20)), [UInt8](repeating: 0xff, count: 1000)] {
            let error = try #require(throws: StreamError.self) {
                try decoder.decode(Self.packet(bytes, track), at: .zero)
            }
            #expect(error.code == .malformed)
        }
        #expect(try decoder.decode(Self.packet(Array(packets[1]), track), at: .zero) != nil)
    }
}

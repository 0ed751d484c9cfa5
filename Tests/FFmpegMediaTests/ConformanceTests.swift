import FFmpegMedia
import MediaConformance
import MediaIO
import TestSupport
import Testing

/// Sources that play files keep the contract of sources.
@Suite(.timeLimit(.minutes(30))) struct ConformanceTests {
    @Test(arguments: ["paced", "live"]) func aFile(_ kind: String) async throws {
        let folder = try ClipFolder()
        try folder.makeClip("clip.mp4", frames: 200, rate: "200", ["-c:v", "libx264", "-g", "10"])
        let kit = SourceConformance(
            {
                let open: @Sendable () throws -> any FrameReader = { try folder.reader("clip.mp4") }
                return kind == "paced" ? PacedSource(name: "clip", open: open) : LiveSource(name: "clip", open: open)
            },
            broken: { PacedSource(name: "clip") { try folder.reader("missing.mp4") } })
        try await check(kit)
    }

    /// Packets that are pushed by two threads, and decoded.
    @Test func packets() async throws {
        let folder = try ClipFolder()
        try folder.makeClip("picture.mjpeg", size: "64x48", frames: 1, ["-c:v", "mjpeg"])
        let packet = try folder.bytes("picture.mjpeg").withUnsafeBytes {
            try EncodedPacket(copying: $0, codec: .motionJPEG, size: VideoSize(width: 64, height: 48), isKeyFrame: true)
        }
        let kit = SourceConformance {
            DecodingSource(PushSource(name: "packets", bufferKind: .encoded)) {
                packet throws(StreamError) in try MediaPacketDecoder(for: packet)
            }
        } deliver: { source in
            let packets = (source as? DecodingSource)?.source as? PushSource
            packets?.push(VideoFrame(.encoded(packet)))
        }
        try await check(kit)
    }

    private func check(_ kit: SourceConformance) async throws {
        let violation = try await failure(onOwnThread: kit.check)
        #expect(violation == nil, "\(violation.map(String.init(describing:)) ?? "")")
    }
}

import FFmpegMedia
import Foundation
import MediaIO
import TestSupport
import Testing

/// What may change within one live transport stream: the codec, the numbers of its tracks, and who wants which.
@Suite(.timeLimit(.minutes(25)), .serialized) struct ChangingStreamTests {
    private static let x264 = ["-c:v", "libx264", "-tune", "zerolatency", "-g", "5", "-pix_fmt", "yuv420p"]

    /// Two seconds of a transport stream.
    private static func clip(
        _ folder: ClipFolder, _ name: String, size: String = "64x48", _ arguments: [String]
    ) throws -> [UInt8] {
        try folder.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25", "-f", "lavfi", "-i", "sine=sample_rate=48000"]
                + ["-t", "2"] + taggingPictures(arguments) + ["-f", "mpegts", folder.file(name)])
        return try folder.bytes(name)
    }

    /// Sends parts with pauses, the last one over and over.
    private static func server(_ parts: [[UInt8]], pause: Duration = .zero) throws -> LoopbackServer {
        let connections = Monitor(0)
        return try LoopbackServer(
            .dialogue { connection in
                let isFirst = connections.withLock { count in
                    count += 1
                    return count == 1
                }
                for part in isFirst ? parts.dropLast() : [] {
                    LoopbackServer.send(part, connection)
                    Thread.sleep(forTimeInterval: pause / .seconds(1))
                }
                // Over and over, as long as anybody listens.
                for _ in 0..<50 {
                    LoopbackServer.send(parts[parts.count - 1], connection)
                    Thread.sleep(forTimeInterval: 0.3)
                    var byte = UInt8(0)
                    if recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 0 { break }
                }
            })
    }

    /// The conditions until pictures have another size.
    private static func watch(_ server: LoopbackServer, until last: String) throws -> [SourceCondition] {
        let sizes = Monitor<[VideoSize]>([])
        let last = try #require(VideoSize(last))
        let watcher = LiveTests.Watcher()
        let sink = FrameHandler(onCondition: watcher.sourceDidChange) { frame in
            sizes.change { $0.append(frame.image.size) }
        }
        let stream = VideoStream(source: LiveTests.source(server.port), sinks: [sink])
        try stream.initialize()
        try stream.start()
        defer { stream.dispose() }
        let found: Void? = sizes.wait(until: .now + .seconds(30)) { $0.count { $0 == last } > 10 ? () : nil }
        #expect(found != nil, "\(watcher.conditions) \(sizes.withLock { Set($0) })")
        return watcher.conditions
    }

    /// FFmpeg's demuxer stays with the codec that the track had at first, so that nothing can be decoded any more.
    @Test("H.264 becomes HEVC on the same track: it is said, and a new connection shows it")
    func codec() throws {
        let folder = try ClipFolder()
        let hevc = ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=5:bframes=0"]
        let server = try Self.server([
            try Self.clip(folder, "a.ts", ["-an"] + Self.x264),
            try Self.clip(folder, "b.ts", size: "96x64", ["-an"] + hevc),
        ])
        defer { server.close() }
        let conditions = try Self.watch(server, until: "96x64")
        #expect(conditions.contains { LiveTests.isWaiting($0, "codec may have changed") }, "\(conditions)")
    }

    @Test("An encoder comes back with other numbers of its tracks")
    func tracks() throws {
        let folder = try ClipFolder()
        let server = try Self.server(
            [
                try Self.clip(folder, "a.ts", ["-an"] + Self.x264),
                try Self.clip(
                    folder, "b.ts", size: "96x64",
                    ["-an", "-mpegts_start_pid", "600", "-mpegts_pmt_start_pid", "500"] + Self.x264),
                // And back.
                try Self.clip(folder, "c.ts", size: "80x48", ["-an"] + Self.x264),
            ], pause: .seconds(1.5))
        defer { server.close() }
        #expect(try Self.watch(server, until: "80x48").allSatisfy { $0 == .live })
    }

    /// Keeps packets.
    private final class Recorder: PacketSink {
        let packets = Monitor<[EncodedPacket]>([])
        let kinds: Set<TrackInfo.Kind>

        init(_ kinds: Set<TrackInfo.Kind>) { self.kinds = kinds }

        func wants(_ track: TrackInfo) -> Bool { kinds.contains(track.kind) }
        func consume(_ packet: EncodedPacket) { packets.change { $0.append(packet) } }
    }

    @Test("Sound is received as long as a sink wants it, and pictures go on")
    func sound() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = LiveTests.Watcher()
        let source = LiveTests.source(port)
        let server = try LiveServer(
            ["-c:v", "mpeg2video", "-g", "5", "-c:a", "mp2", "-f", "mpegts", "tcp://127.0.0.1:\(port)?listen=1"],
            hasSound: true)
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 5 })
        let (all, sound) = (Recorder([.video, .audio]), Recorder([.audio]))
        try source.packets.attach(all)
        try source.packets.attach(sound)
        let found: Void? = all.packets.wait(until: .now + .seconds(30)) { packets in
            packets.count { $0.track.kind == .audio } > 10 && packets.count { $0.track.kind == .video } > 10 ? () : nil
        }
        try #require(found != nil)
        #expect(sound.packets.withLock { $0.allSatisfy { $0.codec.rawValue == "mp2" && $0.track.sampleRate == 48000 } })
        source.packets.detach(all)
        source.packets.detach(sound)
        let frames = watcher.frames
        #expect(watcher.wait { $0.frames > frames + 10 })
        _ = server
    }

    /// A sender's reports say when it took its pictures.
    @Test func captureTimesAreThoseOfTheSender() throws {
        let folder = try ClipFolder()
        let port = try LoopbackServer.unusedPort()
        let server = try LiveServer([
            "-c:v", "libx264", "-tune", "zerolatency", "-g", "10", "-pix_fmt", "yuv420p", "-f", "rtp", "-sdp_file",
            folder.file("a.sdp"), "rtp://127.0.0.1:\(port)",
        ])
        let deadline = Date.now + 30
        while (try? folder.bytes("a.sdp").count) ?? 0 == 0, Date.now < deadline { usleep(10_000) }
        let reader = try MediaPacketReader(MediaLocation(folder.file("a.sdp")))
        while true {
            let packet = try #require(try reader.next())
            guard let capture = packet.timing.capture else {
                try #require(Date.now < deadline, "no sender report has come")
                continue
            }
            let age = Date.now.timeIntervalSince1970 - capture / .seconds(1)
            #expect((-1...10).contains(age), "\(age)")
            break
        }
        _ = server
    }
}

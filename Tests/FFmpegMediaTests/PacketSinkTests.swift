import FFmpegMedia
import Glibc
import MediaIO
import TestSupport
import Testing

/// Several uses of one connection: pictures, and what wants the packets.
@Suite(.timeLimit(.minutes(25)), .serialized) struct PacketSinkTests {
    /// Keeps packets; a test may hold it up.
    private final class Recorder: PacketSink {
        struct Content {
            var packets: [EncodedPacket] = []
            var lost = 0
            var isHeldUp = false
        }

        let content = Monitor(Content())

        func consume(_ packet: EncodedPacket) {
            content.wait { $0.isHeldUp ? nil : () }
            content.change { $0.packets.append(packet) }
        }

        func didLose(_ count: Int) { content.change { $0.lost += count } }

        func await(_ count: Int) -> [EncodedPacket] {
            let packets = content.wait(until: .now + .seconds(60)) { $0.packets.count >= count ? $0.packets : nil }
            if packets == nil { Issue.record("\(count) packets have not come within a minute.") }
            return packets ?? []
        }
    }

    /// Decodes packets on their own.
    private static func decode(_ packets: [EncodedPacket]) throws -> [VideoFrame] {
        let decoder = try MediaPacketDecoder(for: try #require(packets.first))
        var frames: [VideoFrame] = []
        for packet in packets {
            if let frame = try decoder.decode(packet, at: packet.timing.presentation ?? .zero) { frames.append(frame) }
            while let frame = decoder.next() { frames.append(frame) }
        }
        while let frame = decoder.drain() { frames.append(frame) }
        return frames
    }

    /// The server takes one client only.
    @Test func recordersJoinWhilePicturesAreShown() throws {
        let port = try LoopbackServer.unusedPort()
        let watcher = LiveTests.Watcher()
        let source = LiveTests.source(port)
        let server = try LiveServer(port: port)
        try source.initialize(consumer: watcher)
        try source.start()
        defer { source.dispose() }
        try #require(watcher.wait { $0.frames > 10 })
        let (recorder, slow) = (Recorder(), Recorder())
        slow.content.withLock { $0.isHeldUp = true }
        try source.packets.attach(recorder)
        try source.packets.attach(slow, limits: PacketQueueLimits(count: 10))
        let packets = recorder.await(50)
        #expect(packets[0].isKeyFrame && packets[0].codec.rawValue == "mpeg2video")
        let frames = try Self.decode(packets)
        #expect(frames.count >= 50 && frames.allSatisfy { $0.image.size == VideoSize(width: 64, height: 48) })
        // One that stands still costs the others nothing.
        let shown = watcher.frames
        try #require(watcher.wait { $0.frames > shown + 10 })
        #expect(source.packets.lostCount(of: slow) > 0 && source.packets.lostCount(of: recorder) == 0)
        // While nothing is shown, recording goes on.
        source.stop()
        _ = recorder.await(recorder.content.withLock { $0.packets.count } + 20)
        slow.content.change { $0.isHeldUp = false }
        source.packets.detach(slow)
        source.packets.detach(recorder)
        let count = recorder.content.withLock { $0.packets.count }
        try source.start()
        let again = watcher.frames
        try #require(watcher.wait { $0.frames > again + 5 })
        #expect(recorder.content.withLock { $0.packets.count } == count)
        _ = server
    }
}

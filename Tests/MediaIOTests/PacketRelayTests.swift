import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Sinks that ask for packets get them in a stream, too, whatever the pictures do.
@Suite(.timeLimit(.minutes(25))) struct PacketRelayTests {
    /// A sink of packets or of pictures, which a test may hold up or let do something.
    private final class Sink: VideoSink {
        struct Content {
            var calls: [String] = []
            var rotations: Set<VideoRotation> = []
        }

        let bufferKind: BufferKind?
        let content = Monitor(Content())
        let steps = Monitor<[String]>([])
        private let onFrame: @Sendable (Sink) -> Void

        init(_ bufferKind: BufferKind?, onFrame: @escaping @Sendable (Sink) -> Void = { _ in }) {
            (self.bufferKind, self.onFrame) = (bufferKind, onFrame)
        }

        func consume(_ frame: VideoFrame) {
            onFrame(self)
            let number = frame.presentationTime.map { Int($0.components.seconds) } ?? -1
            content.change { content in
                content.calls.append(frame.image.isOf(.encoded) ? "p\(number)" : "\(number)")
                content.rotations.insert(frame.attributes.rotation)
            }
        }

        func sourceDidOmit(_ count: Int) { content.change { $0.calls.append("omitted \(count)") } }
        func sourceDidChange(_ condition: SourceCondition) { content.change { $0.calls.append("\(condition)") } }
        func start() { steps.withLock { $0.append("start") } }
        func stop() { steps.change { $0.append("stop") } }
        func dispose() { steps.change { $0.append("dispose") } }

        var calls: [String] { content.withLock { $0.calls } }

        func await(_ call: String) {
            let found: Void? = content.wait(until: .now + .seconds(60)) { $0.calls.contains(call) ? () : nil }
            if found == nil { Issue.record("“\(call)” has not come within a minute: \(calls)") }
        }

        func await(step: String) {
            let found: Void? = steps.wait(until: .now + .seconds(60)) { $0.last == step ? () : nil }
            if found == nil { Issue.record("“\(step)” has not come within a minute: \(steps.withLock { $0 })") }
        }
    }

    /// A stream of packets that are decoded.
    private struct Pipeline {
        let packets: PushSource
        let requests = Monitor(0)
        let log = DecodingSourceTests.Log()
        let stream: VideoStream

        init(_ sinks: [Sink]) throws {
            packets = PushSource(name: "packets", bufferKind: .encoded) { [requests] in
                requests.withLock { $0 += 1 }
            }
            let source = DecodingSource(packets, now: { MonotonicTime(sinceBoot: .zero) }) { [log] _ in
                DecodingSourceTests.Decoder(log)
            }
            stream = VideoStream(source: source, sinks: sinks)
            try stream.initialize()
            try stream.start()
        }

        func push(_ numbers: [Int], keyFrames: Set<Int> = []) throws {
            for number in numbers {
                packets.push(
                    try DecodingSourceTests.packet(UInt8(number), isKeyFrame: keyFrames.contains(number)))
            }
        }
    }

    @Test func eachSinkGetsWhatItAsksFor() throws {
        let (packets, pictures) = (Sink(.encoded), Sink(nil))
        let pipeline = try Pipeline([packets, pictures])
        // Only a key frame can be begun with.
        try pipeline.push([0, 1, 2], keyFrames: [1])
        pictures.await("2")
        pipeline.packets.report(.ended)
        for sink in [packets, pictures] { sink.await("ended") }
        #expect(packets.calls == ["p1", "p2", "ended"])
        #expect(pictures.calls.filter { !$0.contains("omitted") } == ["1", "2", "ended"])
        // They come as the frames that were pushed.
        #expect(packets.content.withLock { $0.rotations } == [.clockwise90])
        pipeline.stream.dispose()
        #expect(packets.steps.withLock { $0 } == ["start", "stop", "dispose"])
    }

    /// More packets than the decoder may have waiting.
    @Test func aSlowDecoderCostsNoPackets() throws {
        let (packets, pictures) = (Sink(.encoded), Sink(nil))
        let pipeline = try Pipeline([packets, pictures])
        pipeline.log.turns.withLock { $0 = 0 }
        try pipeline.push(Array(1...200), keyFrames: [1])
        packets.await("p200")
        #expect(packets.calls == (1...200).map { "p\($0)" })
        pipeline.log.turns.change { $0 = 1000 }
        pipeline.packets.report(.ended)
        pictures.await("ended")
        #expect(pictures.calls.contains { $0.hasPrefix("omitted") })
        pipeline.stream.dispose()
    }

    @Test func aSlowSinkOfPacketsCostsNoPictures() throws {
        let isHeldUp = Monitor(true)
        let packets = Sink(.encoded) { _ in isHeldUp.wait { $0 ? nil : () } }
        let pictures = Sink(nil)
        let pipeline = try Pipeline([packets, pictures])
        try pipeline.push(Array(1...50), keyFrames: [1])
        pictures.await("50")
        #expect(packets.calls.isEmpty)
        isHeldUp.change { $0 = false }
        packets.await("p50")
        pipeline.stream.dispose()
    }

    @Test func whoJoinsBeginsWithAKeyFrame() throws {
        let (first, second) = (Sink(.encoded), Sink(.encoded))
        let pipeline = try Pipeline([first])
        try pipeline.push([1, 2], keyFrames: [1])
        first.await("p2")
        #expect(pipeline.requests.withLock { $0 } == 0)
        try pipeline.stream.add(second)
        #expect(pipeline.requests.withLock { $0 } == 1)
        try pipeline.push([3, 4, 5], keyFrames: [4])
        second.await("p5")
        #expect(second.calls == ["p4", "p5"])
        first.await("p5")
        pipeline.stream.remove(first)
        #expect(first.steps.withLock { $0 } == ["start", "stop", "dispose"])
        try pipeline.push([6])
        second.await("p6")
        #expect(!first.calls.contains("p6"))
        pipeline.stream.dispose()
    }

    /// Another sink of packets is in its own call meanwhile.
    @Test func aSinkOfPacketsMayStopItsStream() throws {
        let stream = Monitor<VideoStream?>(nil)
        let stopper = Sink(.encoded) { _ in stream.withLock { $0 }?.stop() }
        let other = Sink(.encoded) { _ in usleep(20_000) }
        let pipeline = try Pipeline([stopper, other])
        stream.withLock { $0 = pipeline.stream }
        try pipeline.push([1, 2, 3], keyFrames: [1])
        stopper.await("p1")
        for sink in [stopper, other] { sink.await(step: "stop") }
        #expect(pipeline.stream.state == .initialized && stopper.calls == ["p1"])
        try pipeline.stream.start()
        try pipeline.push([4, 5], keyFrames: [5])
        stopper.await("p5")
        for sink in [stopper, other] { sink.await(step: "stop") }
        #expect(stopper.calls == ["p1", "p5"])
        stream.withLock { $0 = nil }
        pipeline.stream.dispose()
    }

    @Test func aSinkOfPacketsMayRemoveItself() throws {
        let stream = Monitor<VideoStream?>(nil)
        let leaver = Sink(.encoded) { sink in stream.withLock { $0 }?.remove(sink) }
        let other = Sink(.encoded)
        let pipeline = try Pipeline([leaver, other])
        stream.withLock { $0 = pipeline.stream }
        try pipeline.push([1, 2, 3], keyFrames: [1])
        other.await("p3")
        leaver.await(step: "dispose")
        #expect(leaver.calls == ["p1"] && leaver.steps.withLock { $0 } == ["start", "stop", "dispose"])
        while pipeline.stream.sinks.count > 1 { usleep(1000) }
        stream.withLock { $0 = nil }
        pipeline.stream.dispose()
    }

    /// From pictures to packets and back.
    @Test func theSourceMayChange() throws {
        let (packets, pictures) = (Sink(.encoded), Sink(nil))
        let pipeline = try Pipeline([packets, pictures])
        let camera = PushSource(name: "camera")
        try pipeline.stream.setSource(camera)
        camera.push(try VideoStreamTests.frame(at: .seconds(7)))
        #expect(packets.calls == ["7"] && pictures.calls == ["7"])
        let again = PushSource(name: "again", bufferKind: .encoded)
        let log = DecodingSourceTests.Log()
        try pipeline.stream.setSource(DecodingSource(again) { _ in DecodingSourceTests.Decoder(log) })
        again.push(try DecodingSourceTests.packet(8, isKeyFrame: true))
        packets.await("p8")
        pictures.await("8")
        #expect(packets.calls == ["7", "p8"])
        pipeline.stream.dispose()
    }
}

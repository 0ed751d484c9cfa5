import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Packets are decoded on a thread of their own; what is broken or too much costs pictures up to the next key frame.
@Suite(.timeLimit(.minutes(30))) struct DecodingSourceTests {
    /// Decodes what the tests make: the first byte is the number of the picture, which is also its time.
    ///
    /// Packets that follow a missing one cannot be decoded.
    final class Decoder: PacketDecoder {
        private let log: Log
        private let delays: Bool
        private var last: UInt8?
        private var delayed: VideoFrame?

        init(_ log: Log, delays: Bool = false) {
            (self.log, self.delays) = (log, delays)
            log.entries.withLock { $0.append("decoder") }
        }

        func decode(_ encoded: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
            let packet = encoded.withUnsafeBytes { Array($0) }
            log.turns.wait { $0 > 0 ? ($0 -= 1) : nil }
            let number = packet[0]
            let isKeyFrame = packet.count > 1
            guard isKeyFrame || last.map({ $0 + 1 == number }) == true else {
                last = nil
                throw StreamError(.malformed, "Picture \(number) has no predecessor.")
            }
            last = number
            let frame = try? VideoStreamTests.frame(at: time)
            guard delays else { return frame }
            defer { delayed = frame }
            return delayed
        }

        func drain() -> VideoFrame? {
            defer { delayed = nil }
            return delayed
        }
    }

    /// What decoders did, and how many packets they may decode.
    final class Log: Sendable {
        let entries = Monitor<[String]>([])
        let turns = Monitor(1_000_000)
    }

    static func packet(
        _ number: UInt8, isKeyFrame: Bool = false, codec: PacketCodec = .h264, configuration: [UInt8] = []
    ) throws -> VideoFrame {
        let bytes: [UInt8] = isKeyFrame ? [number, 1] : [number]
        let packet = try bytes.withUnsafeBytes {
            try EncodedPacket(
                copying: $0, codec: codec, size: VideoSize(width: 2, height: 2), isKeyFrame: isKeyFrame,
                configuration: configuration)
        }
        return VideoFrame(
            .encoded(packet), attributes: FrameAttributes(rotation: .clockwise90),
            presentationTime: .seconds(Int(number)))
    }

    /// A source of packets, with what its consumer gets.
    struct Pipeline {
        let packets = PushSource(name: "packets", bufferKind: .encoded)
        let consumer = CountingConsumer()
        let log = Log()
        let source: DecodingSource

        init(delays: Bool = false) throws {
            // The clock stands still, so that no packet waits too long.
            source = DecodingSource(packets, now: { MonotonicTime(sinceBoot: .zero) }) {
                [log] _ in Decoder(log, delays: delays)
            }
            try source.initialize(consumer: consumer)
            try source.start()
        }

        func push(_ numbers: [Int], keyFrames: Set<Int>) throws {
            for number in numbers {
                packets.push(
                    try DecodingSourceTests.packet(UInt8(number), isKeyFrame: keyFrames.contains(number)))
            }
        }
    }

    final class CountingConsumer: VideoFrameConsumer {
        struct Content {
            var calls: [String] = []
            var rotations: Set<VideoRotation> = []
        }

        private let content = Monitor(Content())

        var calls: [String] { content.withLock { $0.calls } }
        var rotations: Set<VideoRotation> { content.withLock { $0.rotations } }

        func consume(_ frame: VideoFrame) {
            content.change { content in
                let number = frame.presentationTime.map { Int($0.components.seconds) } ?? -1
                content.calls.append("\(number)")
                content.rotations.insert(frame.attributes.rotation)
            }
        }

        func sourceDidOmit(_ count: Int) { content.change { $0.calls.append("omitted \(count)") } }
        func sourceDidChange(_ condition: SourceCondition) { content.change { $0.calls.append("\(condition)") } }

        func await(_ last: String) {
            let found: Void? = content.wait(until: .now + .seconds(60)) { $0.calls.contains(last) ? () : nil }
            if found == nil { Issue.record("“\(last)” has not come within a minute: \(calls)") }
        }
    }

    @Test func picturesComeInOrder() throws {
        let pipeline = try Pipeline()
        try pipeline.push([1, 2, 3, 4], keyFrames: [1, 3])
        pipeline.packets.report(.ended)
        pipeline.consumer.await("ended")
        #expect(pipeline.consumer.calls == ["1", "2", "3", "4", "ended"])
        // What was said of the packet holds for the picture.
        #expect(pipeline.consumer.rotations == [.clockwise90])
        #expect(pipeline.log.entries.withLock { $0 } == ["decoder"])
        pipeline.source.dispose()
    }

    @Test func delayedPicturesComeBeforeTheEnd() throws {
        let pipeline = try Pipeline(delays: true)
        try pipeline.push([1, 2, 3], keyFrames: [1])
        pipeline.packets.report(.ended)
        pipeline.consumer.await("ended")
        #expect(pipeline.consumer.calls == ["1", "2", "3", "ended"])
        pipeline.source.dispose()
    }

    /// A packet comes during the call in which the source is stopped.
    @Test(arguments: [false, true]) func aConsumerOfPicturesMayStopIt(isDisposed: Bool) throws {
        let packets = PushSource(name: "packets", bufferKind: .encoded)
        let log = Log()
        let source = DecodingSource(packets) { _ in Decoder(log) }
        let calls = Monitor(0)
        let isStopped = Monitor(false)
        let consumer = FrameHandler { [weak source] frame in
            guard frame.image.isOf(.pixelBuffer) else { return }
            calls.withLock { $0 += 1 }
            let pusher = try? SystemThread(for: "the test") {
                if let packet = try? Self.packet(2) { packets.push(packet) }
            }
            // It comes, or soon will.
            usleep(20_000)
            if isDisposed { source?.dispose() } else { source?.stop() }
            pusher?.join()
            isStopped.change { $0 = true }
        }
        try source.initialize(consumer: consumer)
        try source.start()
        packets.push(try Self.packet(1, isKeyFrame: true))
        let stopped: Void? = isStopped.wait(until: .now + .seconds(60)) { $0 ? () : nil }
        #expect(stopped != nil)
        source.dispose()
        #expect(calls.withLock { $0 } == 1)
    }

    /// Number 4 is missing: 5 cannot be decoded, and 6 is not tried.
    @Test func whatIsMissingCostsPicturesUpToTheNextKeyFrame() throws {
        let pipeline = try Pipeline()
        pipeline.log.turns.withLock { $0 = 0 }
        try pipeline.push([1, 2, 3, 5, 6, 7, 8, 9], keyFrames: [1, 8])
        pipeline.log.turns.change { $0 = 1000 }
        pipeline.consumer.await("9")
        #expect(pipeline.consumer.calls == ["1", "2", "3", "omitted 1", "omitted 1", "omitted 1", "8", "9"])
        // The same if the key frame has not arrived yet.
        try pipeline.push([11], keyFrames: [])
        while pipeline.consumer.calls.last == "9" { MonotonicTime.now.sleep() }
        try pipeline.push([12, 13, 14], keyFrames: [13])
        pipeline.consumer.await("14")
        #expect(pipeline.consumer.calls.suffix(4) == ["omitted 1", "omitted 1", "13", "14"])
        pipeline.source.dispose()
    }

    @Test func theFirstPictureIsAKeyFrame() throws {
        let pipeline = try Pipeline()
        try pipeline.push([1, 2, 3, 4], keyFrames: [3])
        pipeline.consumer.await("4")
        let omitted = pipeline.consumer.calls.filter { $0.hasPrefix("omitted") }
        #expect(omitted == ["omitted 2"] || omitted == ["omitted 1", "omitted 1"])
        #expect(pipeline.consumer.calls.suffix(2) == ["3", "4"])
        // After a pause, too.
        pipeline.source.stop()
        #expect(pipeline.packets.push(try Self.packet(5)) == .notStarted)
        try pipeline.source.start()
        try pipeline.push([6, 7, 8], keyFrames: [7])
        pipeline.consumer.await("8")
        #expect(!pipeline.consumer.calls.contains("6"))
        pipeline.source.dispose()
    }

    /// A decoder that is too slow gets the newest group of pictures.
    @Test func tooManyPacketsAreLeftOut() throws {
        let pipeline = try Pipeline()
        pipeline.log.turns.withLock { $0 = 0 }
        try pipeline.push(Array(1...250), keyFrames: [1, 200, 245])
        pipeline.log.turns.change { $0 = 1000 }
        pipeline.consumer.await("250")
        let shown = pipeline.consumer.calls.compactMap { Int($0) }
        #expect(shown.suffix(6) == Array(245...250)[...])
        let omitted = pipeline.consumer.calls.compactMap { call in
            call.hasPrefix("omitted ") ? Int(call.dropFirst(8)) : nil
        }
        #expect(shown.count + omitted.reduce(0, +) == 250)
        #expect(omitted.reduce(0, +) >= 100)
        pipeline.source.dispose()
    }

    @Test func aChangeOfTheCodecMakesAnotherDecoder() throws {
        let pipeline = try Pipeline(delays: true)
        pipeline.packets.push(try Self.packet(1, isKeyFrame: true))
        pipeline.packets.push(try Self.packet(2, isKeyFrame: true, codec: .vp8))
        pipeline.packets.push(try Self.packet(3, isKeyFrame: true, codec: .vp8, configuration: [1]))
        pipeline.packets.report(.ended)
        pipeline.consumer.await("ended")
        #expect(pipeline.consumer.calls == ["1", "2", "3", "ended"])
        #expect(pipeline.log.entries.withLock { $0.count } == 3)
        pipeline.source.dispose()
    }

    @Test func withoutADecoderTheReasonIsTold() throws {
        let packets = PushSource(name: "packets")
        let consumer = CountingConsumer()
        let source = DecodingSource(packets) { packet throws(StreamError) in
            throw StreamError(.unsupported, "no \(packet.codec.rawValue)")
        }
        try source.initialize(consumer: consumer)
        try source.start()
        for number in 1...3 { packets.push(try Self.packet(UInt8(number), isKeyFrame: true, codec: .av1)) }
        // Pictures that are not encoded are shown all the same.
        packets.push(try VideoStreamTests.frame(at: .seconds(4)))
        consumer.await("4")
        #expect(consumer.calls.filter { $0.contains("no av1") }.count == 1)
        source.dispose()
    }

    @Test func packetsAreCheckedWhenTheyAreMade() throws {
        let bytes: [UInt8] = [1, 2, 3]
        let size = VideoSize(width: 2, height: 2)
        func make(_ count: Int, _ codec: PacketCodec, _ size: VideoSize, _ framing: EncodedPacket.Framing) throws {
            try bytes.withUnsafeBytes { bytes in
                _ = try EncodedPacket(
                    copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]), codec: codec, size: size,
                    isKeyFrame: true, framing: framing)
            }
        }
        try make(3, .hevc, size, .lengths(byteCount: 4))
        for (count, codec, size, framing) in [
            (0, .h264, size, .startCodes), (3, .vp8, size, .lengths(byteCount: 4)),
            (3, .h264, size, .lengths(byteCount: 3)), (3, .h264, VideoSize(width: 0, height: 2), .startCodes),
            (3, .h264, VideoSize(width: 2, height: 70_000), .startCodes),
        ] as [(Int, PacketCodec, VideoSize, EncodedPacket.Framing)] {
            #expect(throws: StreamError.self) { try make(count, codec, size, framing) }
        }
    }

    @Test func packetsHaveNoPixels() throws {
        let frame = try Self.packet(1)
        #expect(frame.image.format == nil && frame.image.size == VideoSize(width: 2, height: 2))
        let error = #expect(throws: StreamError.self) { try frame.pixelBuffer }
        #expect(error?.description.contains("DecodingSource") == true)
    }
}

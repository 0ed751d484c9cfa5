import TestSupport
import Testing

@testable import MediaIO

/// Which pictures depend on a loss, whatever their packets tell of times and codecs.
@Suite(.timeLimit(.minutes(30))) struct DamagedPicturesTests {
    private enum Kind: UInt8 {
        /// A key frame.
        case key
        /// A picture that depends on the key frame or the reference before it.
        case reference
        /// A picture that is shown before the key frame or the reference that is decoded before it.
        case early
    }

    /// Returns pictures in the order in which they are shown, each with the time of its packet, and conceals all losses.
    private final class Decoder: PacketDecoder {
        private var held: VideoFrame?

        func decode(_ encoded: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
            let packet = encoded.withUnsafeBytes { Array($0) }
            let size = VideoSize(width: 2, height: 2)
            let bytes = [UInt8](repeating: packet[0], count: 6)
            let frame = try VideoFrame(
                copying: bytes.span.bytes, format: .i420, size: size, presentationTime: time)
            if packet[1] == Kind.early.rawValue { return frame }
            defer { held = frame }
            return held
        }

        func drain() -> VideoFrame? {
            defer { held = nil }
            return held
        }

        func reset() -> Bool { true }
    }

    private final class Consumer: VideoFrameConsumer {
        struct Content {
            var pictures: [String] = []
            var times: [Duration?] = []
            var omitted = 0
            var hasEnded = false
        }

        private let content = Monitor(Content())

        func consume(_ frame: VideoFrame) {
            let number = (try? frame.pixelBuffer.withRow(0, ofPlane: 0) { $0[0] }) ?? 255
            content.withLock { content in
                content.pictures.append("\(number)" + (frame.attributes.isDamaged ? " damaged" : ""))
                content.times.append(frame.presentationTime)
            }
        }

        func sourceDidOmit(_ count: Int) { content.withLock { $0.omitted += count } }

        func sourceDidChange(_ condition: SourceCondition) {
            content.change { if condition == .ended { $0.hasEnded = true } }
        }

        func awaitEnd() -> Content {
            let end = content.wait(until: .now + .seconds(60)) { $0.hasEnded ? $0 : nil }
            if end == nil { Issue.record("The stream has not ended within a minute.") }
            return end ?? content.withLock { $0 }
        }
    }

    private struct Packet {
        var number: UInt8
        var kind: Kind
        var time: Duration?
        var codec = PacketCodec.h264
    }

    /// Decodes packets, whose numbers are those of the sender.
    private static func decode(
        _ packets: [Packet], _ damagedPictures: DecodingSource.DamagedPictures
    ) throws -> Consumer.Content {
        let (source, consumer) = (PushSource(name: "packets", bufferKind: .encoded), Consumer())
        let decoding = DecodingSource(source, damagedPictures: damagedPictures) { _ in Decoder() }
        try decoding.initialize(consumer: consumer)
        try decoding.start()
        for packet in packets {
            let encoded = try [packet.number, packet.kind.rawValue].withUnsafeBytes {
                try EncodedPacket(
                    copying: $0, codec: packet.codec, size: VideoSize(width: 2, height: 2),
                    isKeyFrame: packet.kind == .key, sequence: Int64(packet.number))
            }
            #expect(source.push(VideoFrame(.encoded(encoded), presentationTime: packet.time)) == .delivered)
        }
        source.report(.ended)
        let content = consumer.awaitEnd()
        decoding.dispose()
        return content
    }

    /// Packet 2 is lost; 4 is decoded after the key frame 3, but shown before it, and depends on what was lost.
    @Test(arguments: [false, true], [DecodingSource.DamagedPictures.omitted, .shown])
    func afterALoss(hasTimes: Bool, _ damagedPictures: DecodingSource.DamagedPictures) throws {
        func packet(_ number: UInt8, _ kind: Kind, _ second: Int) -> Packet {
            Packet(number: number, kind: kind, time: hasTimes ? .seconds(second) : nil)
        }
        let result = try Self.decode(
            [
                packet(0, .key, 0), packet(1, .reference, 1), packet(3, .key, 4), packet(4, .early, 3),
                packet(5, .reference, 6), packet(6, .early, 5),
            ], damagedPictures)
        let isShown = damagedPictures == .shown
        #expect(result.pictures == ["0", "1"] + (isShown ? ["4 damaged"] : []) + ["3", "6", "5"])
        #expect(result.omitted == (isShown ? 1 : 2))
        let times = [0, 1] + (isShown ? [3] : []) + [4, 5, 6]
        #expect(result.times == times.map { hasTimes ? .seconds($0) : nil })
    }

    /// Up to the next key frame, and no farther.
    @Test(arguments: [false, true]) func picturesAfterALossAreMarked(hasTimes: Bool) throws {
        let result = try Self.decode(
            [0, 1, 3, 4, 5, 6].map { number in
                Packet(
                    number: number, kind: number % 5 == 0 ? .key : .reference,
                    time: hasTimes ? .seconds(Int(number)) : nil)
            }, .shown)
        #expect(result.pictures == ["0", "1", "3 damaged", "4 damaged", "5", "6"])
        #expect(result.omitted == 1)
    }

    /// Times that are missing here and there do not spoil the order of the others.
    @Test func someTimesMayBeMissing() throws {
        let result = try Self.decode(
            [
                Packet(number: 0, kind: .key, time: .seconds(10)), Packet(number: 1, kind: .reference),
                Packet(number: 2, kind: .early, time: .seconds(11)), Packet(number: 3, kind: .reference),
                Packet(number: 4, kind: .early), Packet(number: 5, kind: .reference, time: .seconds(16)),
            ], .omitted)
        #expect(result.pictures == ["0", "2", "1", "4", "3", "5"])
        #expect(result.times == [.seconds(10), .seconds(11), nil, nil, nil, .seconds(16)])
        #expect(result.omitted == 0)
    }

    /// The key frame of the new codec is lost: its decoder begins in the middle.
    @Test func aNewCodecWithoutItsKeyFrame() throws {
        let result = try Self.decode(
            [
                Packet(number: 0, kind: .key, codec: .h264), Packet(number: 2, kind: .reference, codec: .vp9),
                Packet(number: 3, kind: .reference, codec: .vp9), Packet(number: 4, kind: .key, codec: .vp9),
                Packet(number: 5, kind: .reference, codec: .vp9),
            ], .shown)
        #expect(result.pictures == ["0", "2 damaged", "3 damaged", "4", "5"])
        #expect(result.omitted == 1)
    }
}

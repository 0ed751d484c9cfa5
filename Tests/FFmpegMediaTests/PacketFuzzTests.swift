import FFmpegMedia
import Foundation
import TestSupport
import Testing

@testable import MediaIO

/// Seeded sequences of packets that are lost, duplicated, reordered, cut short, with wrong marks and times, and of changing
/// codec and size: they end in pictures or in counted omissions.
///
/// `VITRAIL_ROUNDS` sets the number of sequences.
@Suite(.timeLimit(.minutes(30))) struct PacketFuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["VITRAIL_ROUNDS"].flatMap(UInt64.init) ?? 500

    private static func clips() throws -> [PacketClip] {
        let x264 = ["-c:v", "libx264", "-g", "8", "-x264opts", "keyint=8:min-keyint=8"]
        return [
            try PacketClip(.h264, count: 24, x264 + ["-bf", "2"]),
            try PacketClip(.h264, count: 24, size: VideoSize(width: 64, height: 48), x264 + ["-bf", "0"]),
            try PacketClip(
                .hevc, count: 16, ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=8:min-keyint=8:bframes=2"]),
            try PacketClip(.vp8, count: 24, ["-c:v", "libvpx", "-g", "8", "-deadline", "realtime"]),
            try PacketClip(
                .vp9, count: 16, ["-c:v", "libvpx-vp9", "-g", "8", "-deadline", "realtime", "-cpu-used", "8"]),
        ]
    }

    /// What comes out of a stage.
    private struct Outcome {
        var pictures = 0
        var damaged = 0
        var omitted = 0

        mutating func note(_ output: DecodingStage.Output) {
            switch output {
            case .picture(let frame):
                pictures += 1
                if frame.attributes.isDamaged { damaged += 1 }
            case .omitted(let count): omitted += count
            case .needsKeyFrame, .unusable: break
            }
        }
    }

    /// A packet on its way.
    private struct Sent {
        var frame: VideoFrame
        var time: Duration?
        var number: Int64
        var isBroken = false
    }

    @Test func sequences() throws {
        let clips = try Self.clips()
        var (sent, all) = (0, Outcome())
        for seed in 1...Self.rounds {
            var random = SeededGenerator(seed: seed)
            let showsDamaged = Bool.random(using: &random)
            var stage = DecodingStage("fuzz", .init(showsDamaged: showsDamaged)) { packet throws(StreamError) in
                try MediaPacketDecoder(for: packet)
            }
            let (packets, next) = try Self.sequence(clips, &random)
            var outcome = Outcome()
            for packet in packets { Self.decode(packet, &stage) { outcome.note($0) } }
            stage.drain { outcome.note($0) }
            // Every packet becomes a picture, or is counted; so are those of which only the number is known. A second
            // packet with the same number is none, nor is the first if it comes second. A broken one may be no picture.
            let count = Set(packets.filter { !$0.isBroken }.map(\.number)).count - 1
            #expect(outcome.pictures + outcome.omitted >= count, "seed \(seed): \(outcome), \(count)")
            if !showsDamaged { #expect(outcome.damaged == 0, "seed \(seed)") }
            // Whatever was before, a stream that is whole is shown as a whole.
            stage.reset()
            let clip = clips[Int.random(in: clips.indices, using: &random)]
            var end = Outcome()
            for index in clip.packets.indices {
                let frame = try clip.frame(index, sequence: next + Int64(index))
                Self.decode(Sent(frame: frame, time: frame.presentationTime, number: 0), &stage) { end.note($0) }
            }
            stage.drain { end.note($0) }
            #expect(end.pictures == clip.pictures.count && end.omitted == 0 && end.damaged == 0, "seed \(seed): \(end)")
            sent += packets.count
            all.pictures += outcome.pictures
            all.omitted += outcome.omitted
        }
        // Enough of both, so that the test sees both.
        #expect(all.pictures > sent / 5 && all.omitted > sent / 20, "\(all) of \(sent)")
    }

    private static func decode(_ sent: Sent, _ stage: inout DecodingStage, _ deliver: (DecodingStage.Output) -> Void) {
        guard case .encoded(let packet) = sent.frame.image else { return }
        stage.decode(packet, time: sent.time, attributes: sent.frame.attributes, deliver)
    }

    /// Parts of several clips, damaged; and the number of the packet after them.
    private static func sequence(
        _ clips: [PacketClip], _ random: inout SeededGenerator
    ) throws -> (packets: [Sent], next: Int64) {
        var (packets, number) = ([Sent](), Int64.random(in: 0...1 << 40, using: &random))
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let clip = clips[Int.random(in: clips.indices, using: &random)]
            let first = Int.random(in: 0..<clip.packets.count - 4, using: &random)
            for index in first..<Int.random(in: first + 1...clip.packets.count, using: &random) {
                defer { number += 1 }
                var bytes = clip.packets[index].bytes
                var isKeyFrame: Bool?
                var copies = 1
                switch Int.random(in: 0..<40, using: &random) {
                case 0, 1: copies = 0
                case 2: copies = 2
                case 3, 4:
                    for _ in 0..<3 {
                        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                    }
                case 5: bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
                case 6: isKeyFrame = Bool.random(using: &random)
                default: break
                }
                for _ in 0..<copies {
                    let frame = try clip.frame(index, sequence: number, bytes: bytes, isKeyFrame: isKeyFrame)
                    packets.append(
                        Sent(
                            frame: frame, time: time(frame.presentationTime, &random), number: number,
                            isBroken: bytes != clip.packets[index].bytes))
                }
                if packets.count > 1, Int.random(in: 0..<30, using: &random) == 0 {
                    packets.swapAt(packets.count - 1, packets.count - 2)
                }
            }
        }
        return (packets, number)
    }

    /// The right time, mostly.
    private static func time(_ time: Duration?, _ random: inout SeededGenerator) -> Duration? {
        switch Int.random(in: 0..<60, using: &random) {
        case 0: nil
        case 1: .zero
        case 2: .nanoseconds(Int64.random(in: .min...(.max), using: &random))
        case 3: time.map { $0 + .seconds(86_400 * 365) }
        case 4: time.map { .zero - $0 }
        default: time
        }
    }
}

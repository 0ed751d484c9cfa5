import Testing

@testable import MediaIO

/// Everything that waits counts; who is too slow loses packets up to a key frame; and numbers tell what is missing.
struct PacketQueueTests {
    private static func packet(
        _ number: Int64?, isKeyFrame: Bool = false, discontinuity: Bool = false, track: Int = 0,
        kind: TrackInfo.Kind = .video, byteCount: Int = 2
    ) throws -> EncodedPacket {
        try [UInt8](repeating: 1, count: byteCount).withUnsafeBytes {
            try EncodedPacket(
                copying: $0, of: TrackInfo(id: track, kind: kind, codec: .h264),
                marks: EncodedPacket.Marks(
                    isKeyFrame: isKeyFrame, sequence: number, discontinuity: discontinuity))
        }
    }

    /// A clock that stands still until it is moved.
    private final class Clock: Sendable {
        private let time = Monitor(MonotonicTime(sinceBoot: .seconds(100)))

        func pass(_ duration: Duration) { time.withLock { $0 = $0 + duration } }

        var now: MonotonicTime { time.withLock { $0 } }
    }

    /// Takes all that waits, in words.
    private static func drain(_ queue: PacketQueue) -> [String] {
        queue.append(.failed("the last one"))
        var entries: [String] = []
        while let entry = queue.next() {
            switch entry {
            case .condition(.failed("the last one", _)): return entries
            case .condition(let condition): entries.append("\(condition)")
            case .packet(let packet, _, _):
                entries.append(
                    "\(packet.track.kind == .video ? "" : "\(packet.track.kind) ")\(packet.marks.sequence ?? -1)")
            case .picture: entries.append("picture")
            case .lost(let count, let needsKeyFrame): entries.append("lost \(count)" + (needsKeyFrame ? ", key" : ""))
            case .reset: entries.append("reset")
            }
        }
        return entries
    }

    private static func lost(_ entries: [String]) -> Int {
        entries.reduce(0) { count, entry in
            entry.hasPrefix("lost ") ? count + (Int(entry.dropFirst(5).prefix { $0.isNumber }) ?? 0) : count
        }
    }

    // MARK: Bounds

    @Test func byCount() throws {
        let queue = PacketQueue(PacketQueueLimits(count: 12))
        for number in 0..<Int64(25) { queue.append(try Self.packet(number, isKeyFrame: number % 8 == 0)) }
        // Twelve wait; the thirteenth finds no room, and what follows must begin with a key frame.
        #expect(Self.drain(queue) == ["lost 16", "16", "17", "18", "19", "20", "21", "22", "23", "24"])
        #expect(queue.lost == 16)
    }

    @Test func byBytes() throws {
        let queue = PacketQueue(PacketQueueLimits(byteCount: 1000))
        for number in 0..<Int64(6) {
            queue.append(try Self.packet(number, isKeyFrame: number % 3 == 0, byteCount: 400))
        }
        #expect(Self.drain(queue) == ["lost 6, key"])
        // A single larger one is taken.
        queue.append(try Self.packet(9, isKeyFrame: true, byteCount: 5000))
        #expect(Self.drain(queue).last == "9")
    }

    @Test func byTime() throws {
        let clock = Clock()
        let queue = PacketQueue(PacketQueueLimits(duration: .seconds(4))) { clock.now }
        for number in 0..<Int64(12) {
            queue.append(try Self.packet(number, isKeyFrame: number % 5 == 0))
            clock.pass(.milliseconds(450))
        }
        // Number 9 finds one that has been waiting for 4.05 seconds.
        #expect(Self.drain(queue) == ["lost 10", "10", "11"])
    }

    @Test func picturesCount() throws {
        let queue = PacketQueue()
        weak var first: PixelBuffer?
        for number in 0..<1000 {
            let picture = try VideoStreamTests.frame(at: .seconds(number))
            if number == 0 { first = try picture.pixelBuffer }
            queue.append(picture)
        }
        #expect(first == nil)
        let entries = Self.drain(queue)
        #expect(entries.count <= PacketQueueLimits().count)
        let kept = entries.count { $0 == "picture" }
        #expect(kept > 0 && kept + Self.lost(entries) == 1000)
    }

    @Test func largePicturesCountByTheirBytes() throws {
        let queue = PacketQueue()
        for _ in 0..<10 {
            let size = VideoSize(width: 4096, height: 4096)
            queue.append(VideoFrame(try PixelBuffer(format: .gray8, size: size) { _ in }))
        }
        let entries = Self.drain(queue)
        #expect(entries.count { $0 == "picture" } <= 4)
        #expect(Self.lost(entries) >= 6)
    }

    /// The newest one is kept.
    @Test func conditionsCount() throws {
        let queue = PacketQueue()
        for number in 0..<1000 { queue.append(.waiting("\(number)")) }
        let entries = Self.drain(queue)
        #expect(entries.count <= PacketQueueLimits().count && entries.last == "\(SourceCondition.waiting("999"))")
    }

    // MARK: Key frames

    /// Whatever comes after a stop, the decoder is reset first.
    @Test func aResetStaysInFront() throws {
        let queue = PacketQueue()
        queue.clear()
        for number in 0..<Int64(300) { queue.append(try Self.packet(number, isKeyFrame: true)) }
        let entries = Self.drain(queue)
        #expect(entries.first == "reset" && entries.count { $0 == "reset" } == 1)
        #expect(entries.count { Int($0) != nil } + Self.lost(entries) == 300)
    }

    /// A key frame that waits need not be asked for.
    @Test func aKeyFrameIsNeededUnlessOneWaits() throws {
        let queue = PacketQueue(PacketQueueLimits(count: 3))
        for number in 0..<Int64(5) { queue.append(try Self.packet(number)) }
        #expect(Self.drain(queue) == ["lost 5, key"])
        queue.append(try Self.packet(5))
        queue.append(try Self.packet(6, isKeyFrame: true))
        #expect(Self.drain(queue) == ["lost 1", "6"])
    }

    /// Sound needs no key frame, and each track of video its own.
    @Test func eachTrackForItself() throws {
        let queue = PacketQueue(PacketQueueLimits(count: 6))
        for number in 0..<Int64(2) {
            queue.append(try Self.packet(number, isKeyFrame: number == 0))
            queue.append(try Self.packet(number, track: 1, kind: .audio))
            queue.append(try Self.packet(10 + number, isKeyFrame: number == 0, track: 2))
        }
        // The seventh does not fit.
        queue.append(try Self.packet(2, track: 1, kind: .audio))
        queue.append(try Self.packet(12, isKeyFrame: true, track: 2))
        queue.append(try Self.packet(2))
        #expect(Self.drain(queue) == ["lost 6", "audio 2", "12", "lost 1, key"])
    }

    @Test func whoFallsBehindGetsTheNewestKeyFrame() throws {
        let queue = PacketQueue()
        for number in 0..<Int64(10) { queue.append(try Self.packet(number, isKeyFrame: number % 4 == 0)) }
        queue.skipToNewestKeyFrame()
        queue.skipToNewestKeyFrame()
        #expect(Self.drain(queue) == ["lost 8", "8", "9"])
        // Without a key frame, everything stays.
        queue.append(try Self.packet(10))
        queue.skipToNewestKeyFrame()
        #expect(Self.drain(queue) == ["10"])
    }

    /// Who joins in the middle begins with a key frame, and has lost nothing.
    @Test func joining() throws {
        let queue = PacketQueue()
        queue.awaitKeyFrames()
        for number in 0..<Int64(6) {
            queue.append(try Self.packet(number, isKeyFrame: number == 3))
            queue.append(try Self.packet(number, track: 1, kind: .audio))
        }
        #expect(
            Self.drain(queue)
                == ["audio 0", "audio 1", "audio 2", "3", "audio 3", "4", "audio 4", "5", "audio 5"])
        #expect(queue.lost == 0)
    }

    @Test func numbersTellWhatIsMissing() throws {
        var sequence = PacketSequence()
        func note(_ number: Int64?, _ discontinuity: Bool = false) throws -> PacketSequence.Step {
            sequence.note(try Self.packet(number, discontinuity: discontinuity))
        }
        #expect(try note(nil) == .next)
        #expect(try note(nil, true) == .gap(missing: 0))
        #expect(try note(100) == .next)
        #expect(try note(101) == .next)
        #expect(try note(104) == .gap(missing: 2))
        for old in [104, 103, 102, 89] as [Int64] { #expect(try note(old) == .old) }
        #expect(try note(105, true) == .gap(missing: 0))
        #expect(try note(107, true) == .gap(missing: 1))
        // It begins anew.
        #expect(try note(91) == .gap(missing: 0))
        #expect(try note(92) == .next)
        #expect(try note(90, true) == .gap(missing: 0))
        #expect(try note(91) == .next)
        // Numbers may be anything.
        for number in [.max, .min, .max, 0, .max, -1, .min] as [Int64] {
            #expect(try note(number) == .gap(missing: 0))
        }
        #expect(try note(.min + 1) == .next)
        #expect(try note(.min + 10_001) == .gap(missing: 9_999))
        #expect(try note(.min + 20_003) == .gap(missing: 0))
    }
}

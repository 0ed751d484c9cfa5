import Testing

@testable import MediaIO

/// Everything that waits for the decoder counts, and numbers tell what is missing.
struct PacketQueueTests {
    private static func packet(_ number: Int64?, isKeyFrame: Bool = false, discontinuity: Bool = false) throws
        -> EncodedPacket
    {
        try [1, 2].withUnsafeBytes {
            try EncodedPacket(
                copying: $0, codec: .h264, size: VideoSize(width: 2, height: 2), isKeyFrame: isKeyFrame,
                sequence: number, discontinuity: discontinuity)
        }
    }

    /// Takes all that waits.
    private static func drain(_ queue: PacketQueue) -> [PacketQueue.Entry] {
        queue.append(.failed("the last one"))
        var entries: [PacketQueue.Entry] = []
        while let entry = queue.next() {
            if case .condition(.failed("the last one")) = entry { return entries }
            entries.append(entry)
        }
        return entries
    }

    private static func omitted(_ entries: [PacketQueue.Entry]) -> Int {
        entries.reduce(0) { count, entry in
            if case .restart(let omitted, _) = entry { count + omitted } else { count }
        }
    }

    @Test func picturesCount() throws {
        let queue = PacketQueue(showsDamaged: false)
        weak var first: PixelBuffer?
        for number in 0..<1000 {
            let picture = try VideoStreamTests.frame(at: .seconds(number))
            if number == 0 { first = try picture.pixelBuffer }
            queue.append(picture)
        }
        #expect(first == nil)
        let entries = Self.drain(queue)
        #expect(entries.count <= PacketQueue.maximumCount)
        let kept = entries.count { if case .frame = $0 { true } else { false } }
        #expect(kept > 0 && kept + Self.omitted(entries) == 1000)
    }

    @Test func largePicturesCountByTheirBytes() throws {
        let queue = PacketQueue(showsDamaged: false)
        for _ in 0..<10 {
            let size = VideoSize(width: 4096, height: 4096)
            queue.append(VideoFrame(try PixelBuffer(format: .gray8, size: size) { _ in }))
        }
        let entries = Self.drain(queue)
        #expect(entries.count { if case .frame = $0 { true } else { false } } <= 4)
        #expect(Self.omitted(entries) >= 6)
    }

    /// The newest one is kept.
    @Test func conditionsCount() throws {
        let queue = PacketQueue(showsDamaged: false)
        for number in 0..<1000 { queue.append(.waiting("\(number)")) }
        let entries = Self.drain(queue)
        #expect(entries.count <= PacketQueue.maximumCount)
        guard case .condition(.waiting("999")) = entries.last else {
            Issue.record("The newest condition is missing.")
            return
        }
    }

    /// Whatever comes after a stop, the decoder is reset first.
    @Test func aResetStaysInFront() throws {
        let queue = PacketQueue(showsDamaged: false)
        queue.clear()
        for number in 0..<Int64(300) { queue.append(VideoFrame(.encoded(try Self.packet(number, isKeyFrame: true)))) }
        let entries = Self.drain(queue)
        guard case .reset = entries.first else {
            Issue.record("The reset is missing.")
            return
        }
        #expect(entries.count { if case .reset = $0 { true } else { false } } == 1)
        #expect(entries.count { if case .frame = $0 { true } else { false } } + Self.omitted(entries) == 300)
    }

    /// What waits after a stop does not depend on a packet from before it that was broken.
    @Test func aPacketFromBeforeAStopCostsNoneAfterIt() throws {
        let queue = PacketQueue(showsDamaged: false)
        queue.clear()
        for number in 0..<Int64(3) {
            queue.append(VideoFrame(.encoded(try Self.packet(number, isKeyFrame: number == 0))))
        }
        queue.skipToKeyFrame()
        let entries = Self.drain(queue)
        guard entries.count == 4, case .reset = entries[0] else {
            Issue.record("\(entries.count) entries wait, and the first may not be the reset.")
            return
        }
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

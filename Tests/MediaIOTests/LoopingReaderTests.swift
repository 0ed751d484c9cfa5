import MediaIO
import TestSupport
import Testing

/// Round after round, times go on rising.
struct LoopingReaderTests {
    static func times(_ reader: any FrameReader, _ count: Int) throws -> [Int] {
        try (0..<count).compactMap { _ in
            try reader.next().map {
                Int($0.time.components.seconds * 1000)
                    + Int($0.time.components.attoseconds / 1_000_000_000_000_000)
            }
        }
    }

    @Test(
        arguments: [
            // A rate says how long the last frame lasts.
            ([0, 100, 200], Rational(10), [0, 100, 200, 300, 400, 500, 600, 700]),
            // Without one a frame lasts as long as the one before it; the round ends when the last of them does.
            ([0, 50, 70], nil, [0, 50, 70, 100, 150, 170, 200]),
            ([0, 20, 70], nil, [0, 20, 70, 120, 140, 190, 240]),
            // A single frame: 40 ms.
            ([0], nil, [0, 40, 80, 120]),
            // A stream that begins late does not pause in later rounds.
            ([5000, 5100], Rational(10), [5000, 5100, 5200, 5300, 5400]),
            // Times out of order: the round ends after the latest.
            ([0, 200, 100], Rational(10), [0, 200, 100, 300, 500, 400, 600]),
            // Repeated times still advance.
            ([0, 0], nil, [0, 0, 40, 40, 80]),
            // Frames without times follow from the rate.
            ([nil, nil, nil], Rational(10), [0, 100, 200, 300, 400, 500, 600]),
            ([nil, nil], nil, [0, 40, 80, 120, 160]),
        ] as [([Int?], Rational?, [Int])]) func timesRise(_ times: [Int?], _ rate: Rational?, _ wanted: [Int]) throws
    {
        let reader = LoopingReader(ListReader(times.map { $0.map { .milliseconds($0) } }, rate: rate))
        #expect(try Self.times(reader, wanted.count) == wanted)
        try reader.rewind()
        #expect(try Self.times(reader, wanted.count) == wanted)
        #expect(reader.info.duration == nil)
    }

    /// Also across the ends of rounds, whose length is the wrapped reader's duration, nine seconds, until one has ended.
    @Test func skippingLeadsToTheRightRound() throws {
        let list = ListReader((0..<9).map { .seconds($0) }, rate: .one, skips: true)
        let reader = LoopingReader(list)
        #expect(try Self.times(reader, 2) == [0, 1000])
        for (time, expected) in [(4500, 4000), (8000, 8000), (12_000, 12_000), (30_100, 30_000), (0, 31_000)] {
            let isPossible = reader.skip(to: .milliseconds(time))
            #expect(isPossible)
            #expect(try Self.times(reader, 1) == [expected])
        }
        #expect(try Self.times(reader, 6) == (32...37).map { $0 * 1000 })
        #expect(list.count == 13)
        let unable = LoopingReader(ListReader([.zero], rate: .one))
        #expect(try Self.times(unable, 1) == [0])
        let isPossible = unable.skip(to: .seconds(1))
        #expect(!isPossible)
    }

    /// The duration says eight seconds, although there are nine: whoever comes later is in the same round.
    @Test func aLengthIsKept() throws {
        let readers = (0..<2).map { _ in
            let list = ListReader((0..<9).map { .seconds($0) }, rate: .one, duration: .seconds(8), skips: true)
            return LoopingReader(list, keepsLength: true)
        }
        _ = try Self.times(readers[0], 12)
        _ = try readers[1].next()
        for reader in readers {
            let isPossible = reader.skip(to: .seconds(83))
            #expect(isPossible)
            #expect(try Self.times(reader, 3) == [83_000, 84_000, 85_000])
        }
        // Without a duration, the first round is as long as its frames.
        let unknown = LoopingReader(
            ListReader([.zero, .seconds(1)], rate: .one, duration: nil, skips: true), keepsLength: true)
        _ = try unknown.next()
        let isTooEarly = unknown.skip(to: .seconds(9))
        #expect(!isTooEarly)
        _ = try Self.times(unknown, 2)
        let isKnown = unknown.skip(to: .seconds(9))
        #expect(isKnown)
        #expect(try Self.times(unknown, 2) == [9000, 10_000])
    }

    @Test func emptyStreamEnds() throws {
        let reader = LoopingReader(ListReader([]))
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func errorsPass() throws {
        let reader = LoopingReader(ListReader([.zero], error: StreamError(.readFailed, "gone")))
        #expect(try reader.next() != nil)
        #expect(throws: StreamError.self) { try reader.next() }
    }
}

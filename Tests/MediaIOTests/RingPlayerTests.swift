import Glibc
import TestSupport
import Testing

@testable import MediaIO

/// Moments of the past are shown from what a ring has.
@Suite(.timeLimit(.minutes(25))) struct RingPlayerTests {
    /// The number of the first packet of a group is a multiple of this.
    private static let group = 25
    /// The moment of picture 0.
    private let begin = MonotonicTime.now - .seconds(20)
    private let rings = PacketRings(byteCount: 1 << 30, duration: .seconds(3600))
    private let outlet = PacketOutlet(name: "door")
    private let ring: PacketRing
    private let shown = Monitor<[Int]>([])
    private let log = DecodingSourceTests.Log()

    init() {
        ring = rings.makeRing()
        outlet.ring = ring
    }

    private func moment(_ number: Double) -> MonotonicTime { begin + .milliseconds(40) * number }

    /// Packets of pictures 40 ms apart, which the network delays by up to 30 ms; a key frame is never the quickest.
    private func send(_ numbers: Range<Int>) throws {
        for number in numbers {
            let delay = number % Self.group == 0 ? 30 : number * 7 % 31
            outlet.distribute(try Self.packet(number, arrival: moment(Double(number)) + .milliseconds(delay)))
        }
    }

    static func packet(_ number: Int, arrival: MonotonicTime) throws -> EncodedPacket {
        let isKeyFrame = number % group == 0
        let bytes = isKeyFrame ? [UInt8(number % 250), 1] : [UInt8(number % 250)]
        return try bytes.withUnsafeBytes {
            try EncodedPacket(
                copying: $0, of: TrackInfo(codec: .h264),
                timing: EncodedPacket.Timing(
                    presentation: .milliseconds(40) * number, arrival: arrival.sinceBoot),
                marks: EncodedPacket.Marks(isKeyFrame: isKeyFrame, sequence: Int64(number)))
        }
    }

    private func player(_ playhead: Playhead) throws -> RingPlayer {
        let stage = DecodingStage("door", .live) { [log] _ in DecodingSourceTests.Decoder(log) }
        return try RingPlayer(playhead, of: ring, stage, ReadingDemand(), name: "door") { [shown] frame in
            shown.change { $0.append(Int((frame.presentationTime ?? .zero) / .milliseconds(40))) }
            return true
        }
    }

    /// Waits for a picture.
    private func comes(_ number: Int) -> Bool {
        shown.wait(until: .now + .seconds(60)) { $0.last == number ? true : nil } ?? false
    }

    @Test("Any moment shows the last picture before it, forward and backward")
    func moments() throws {
        try send(0..<200)
        let player = try player(.stopped(at: moment(100.5)))
        defer { player.end() }
        #expect(comes(100))
        for number in [150, 151, 152, 149, 24, 25, 26, 199, 0, 124, 175] {
            player.show(.stopped(at: moment(Double(number) + 0.5)))
            #expect(comes(number), "\(number): \(shown.withLock { $0.suffix(5) })")
        }
        #expect(player.shown.map { $0 <= moment(175.5) && $0 > moment(174.5) } == true)
        // Nothing between is shown.
        #expect(shown.withLock { $0.count } == 12)
    }

    @Test("Before the oldest and after the newest moment, those are shown, and what comes later, when it comes")
    func edges() throws {
        try send(50..<150)
        let player = try player(.stopped(at: begin))
        defer { player.end() }
        #expect(comes(50))
        player.show(.stopped(at: moment(152.5)))
        #expect(comes(149))
        try send(150..<160)
        #expect(comes(152))
        // What the ring has released.
        let last = outlet.ring
        outlet.ring = nil
        outlet.ring = last
        try send(200..<260)
        player.show(.stopped(at: moment(100)))
        #expect(comes(200))
    }

    @Test("An earlier moment is found although no picture of a later one was there yet")
    func overtaken() throws {
        try send(0..<200)
        log.turns.change { $0 = 0 }
        let stage = DecodingStage("door", .live) { [log] _ in DecodingSourceTests.Decoder(log, delays: true) }
        let player = try RingPlayer(
            .stopped(at: moment(190.5)), of: ring, stage, ReadingDemand(), name: "door"
        ) { [shown] frame in
            shown.change { $0.append(Int((frame.presentationTime ?? .zero) / .milliseconds(40))) }
            return true
        }
        defer { player.end() }
        // It decodes the key frame before that moment.
        let end = MonotonicTime.now + .seconds(60)
        while log.entries.withLock(\.isEmpty), MonotonicTime.now < end { usleep(1000) }
        player.show(.stopped(at: moment(30.5)))
        log.turns.change { $0 = 1_000_000 }
        #expect(comes(30))
        #expect(shown.withLock(\.self) == [30])
    }

    @Test("A picture that is looked at stays when the ring has released it, and one that is not taken comes again")
    func held() throws {
        try send(0..<100)
        let isTaken = Monitor(false)
        let stage = DecodingStage("door", .live) { [log] _ in DecodingSourceTests.Decoder(log) }
        let player = try RingPlayer(
            .stopped(at: moment(30.5)), of: ring, stage, ReadingDemand(), name: "door"
        ) { [shown] frame in
            let isTaken = isTaken.withLock(\.self)
            shown.change {
                $0.append(Int((frame.presentationTime ?? .zero) / .milliseconds(40)) + (isTaken ? 1000 : 0))
            }
            return isTaken
        }
        defer { player.end() }
        _ = shown.wait(until: .now + .seconds(60)) { $0.count >= 3 ? () : nil }
        isTaken.withLock { $0 = true }
        #expect(comes(1030))
        #expect(shown.withLock { $0.dropLast() }.allSatisfy { $0 == 30 })
        let count = shown.withLock { $0.count }
        while ring.removeOldest() {}
        try send(100..<150)
        usleep(200_000)
        #expect(shown.withLock { $0.count } == count)
        player.show(.stopped(at: moment(30.5)))
        #expect(comes(1100))
    }

    @Test("Pictures of the past go on at their speed, in order, never early")
    func behind() throws {
        let early = Monitor<[Duration]>([])
        try send(0..<400)
        let delay = Duration.seconds(15)
        let stage = DecodingStage("door", .live) { [log] _ in DecodingSourceTests.Decoder(log) }
        let player = try RingPlayer(.behind(delay), of: ring, stage, ReadingDemand(), name: "door") {
            [shown, begin] frame in
            let time = frame.presentationTime ?? .zero
            let wait = MonotonicTime.now - (begin + time + delay)
            early.withLock { if wait < .zero { $0.append(wait) } }
            shown.change { $0.append(Int(time / .milliseconds(40))) }
            return true
        }
        defer { player.end() }
        _ = shown.wait(until: .now + .seconds(60)) { $0.count >= 30 ? () : nil }
        let numbers = shown.withLock { $0 }
        #expect(numbers.count >= 30 && numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(early.withLock { $0.isEmpty }, "\(early.withLock { $0 })")
    }

    /// Takes 20 ms for each packet, and notes whether it is urgent.
    private final class SlowDecoder: PacketDecoder {
        let urgent: Monitor<[Bool]>
        private var isUrgent = false

        init(_ urgent: Monitor<[Bool]>) { self.urgent = urgent }

        func decode(_ packet: EncodedPacket, at time: Duration) throws(StreamError) -> VideoFrame? {
            urgent.withLock { $0.append(isUrgent) }
            usleep(20_000)
            return try? VideoStreamTests.frame(at: time)
        }

        func setUrgent(_ isUrgent: Bool) { self.isUrgent = isUrgent }
    }

    @Test("While a moment is searched for, it moves on, and its stream goes before others")
    func chase() throws {
        try send(0..<450)
        let urgent = Monitor<[Bool]>([])
        let stage = DecodingStage("door", .live) { _ in SlowDecoder(urgent) }
        // Twenty-one packets from a key frame on: more than 400 ms, in which ten pictures would have been shown.
        let player = try RingPlayer(
            .behind(.now - moment(245.5)), of: ring, stage, ReadingDemand(), name: "door"
        ) { [shown] frame in
            shown.change { $0.append(Int((frame.presentationTime ?? .zero) / .milliseconds(40))) }
            return true
        }
        defer { player.end() }
        _ = shown.wait(until: .now + .seconds(60)) { $0.count >= 5 ? () : nil }
        let first = try #require(shown.withLock(\.first))
        #expect(first >= 255)
        let turns = urgent.withLock(\.self)
        // From 225 up to the picture after the first one that was shown.
        #expect(turns.prefix { $0 }.count == first - 225 + 2, "\(first) \(turns)")
        #expect(!turns.drop { $0 }.contains(true), "\(turns)")
    }

    /// Gives packets when they are sent.
    private final class SlowReader: PacketReader {
        let container = "test"
        let isLive = true
        let duration: Duration? = nil
        let shown = TrackInfo(codec: .h264)
        var tracks: [TrackInfo] { [shown] }
        private let packets: Monitor<[EncodedPacket]>
        private let cancellation: ReadCancellation

        init(_ packets: Monitor<[EncodedPacket]>, _ cancellation: ReadCancellation) {
            (self.packets, self.cancellation) = (packets, cancellation)
        }

        func select(_ tracks: Set<Int>) {}

        func next() throws(StreamError) -> EncodedPacket? {
            while !cancellation.isCancelled {
                let packet = packets.wait(until: .now + .milliseconds(20)) { $0.isEmpty ? nil : $0.removeFirst() }
                if let packet { return packet }
            }
            throw StreamError(.readFailed, "Cancelled.")
        }
    }

    @Test("A live source shows the past while it receives, and the present at once when it is wanted")
    func live() throws {
        let cancellation = ReadCancellation()
        let queue = Monitor<[EncodedPacket]>([])
        let consumer = WaitingConsumer()
        let source = LiveSource(
            name: "door", cancellation: cancellation, decoder: { [log] _ in DecodingSourceTests.Decoder(log) },
            playout: .none
        ) { .packets(SlowReader(queue, cancellation)) }
        source.packets.ring = ring
        try source.initialize(consumer: consumer)
        try source.start()
        func send(_ numbers: Range<Int>) throws {
            let packets = try numbers.map { try Self.packet($0, arrival: moment(Double($0))) }
            queue.change { $0 += packets }
        }
        func time(_ number: Int) -> Duration { .milliseconds(40) * number }
        func comes(_ number: Int) -> Bool {
            let end = MonotonicTime.now + .seconds(60)
            while consumer.times.last != time(number), MonotonicTime.now < end { usleep(1000) }
            return consumer.times.last == time(number)
        }
        try send(0..<60)
        #expect(comes(59))
        try source.show(.stopped(at: moment(30.5)))
        #expect(comes(30))
        try send(60..<75)
        let end = MonotonicTime.now + .seconds(60)
        while ring.span.map({ $0.upperBound < moment(73.5) }) ?? true, MonotonicTime.now < end { usleep(1000) }
        try source.show(.stopped(at: moment(70.5)))
        #expect(comes(70))
        #expect(source.shownMoment.map { $0 <= moment(70.5) } == true)
        // The present was decoded meanwhile, and not shown.
        let shown = consumer.times
        #expect(!shown.contains(time(74)))
        try source.show(nil)
        #expect(comes(74))
        #expect(source.shownMoment == nil)
        try send(75..<77)
        #expect(comes(76))
        source.packets.ring = nil
        #expect(throws: StreamError.self) { try source.show(.behind(.seconds(1))) }
        source.dispose()
    }
}

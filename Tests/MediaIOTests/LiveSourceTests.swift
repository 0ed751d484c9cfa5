import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// Live streams are shown on arrival, are connected again when they are lost, and never play old frames.
@Suite(.timeLimit(.minutes(25))) struct LiveSourceTests {
    /// A source whose waits take no time and are written down.
    final class Waits: Sendable {
        private let waits = Monitor<[Duration]>([])
        private let time = Monitor(MonotonicTime(sinceBoot: .seconds(1000)))

        var all: [Duration] { waits.withLock { $0 } }

        func pass(_ duration: Duration) { time.withLock { $0 = $0 + duration } }

        var clock: RetryClock {
            RetryClock(now: { self.time.withLock { $0 } }) { _, wait, _ in self.waits.change { $0.append(wait) } }
        }

        func wait(for count: Int) { _ = waits.wait { $0.count >= count ? () : nil } }
    }

    static func source(
        _ waits: Waits, _ open: @escaping @Sendable (ReadCancellation) throws(StreamError) -> any FrameReader
    ) -> LiveSource {
        let cancellation = ReadCancellation()
        return LiveSource(
            name: "door", retries: .scheduled(RetrySchedule()), cancellation: cancellation, clock: waits.clock
        ) {
            () throws(StreamError) in .frames(try open(cancellation))
        }
    }

    /// Timestamps that jump by an hour are not waited for, in either direction.
    @Test func framesAreShownOnArrival() throws {
        let reader = ArrivingReader.Script([])
        let consumer = WaitingConsumer()
        let source = Self.source(Waits()) { ArrivingReader(reader, $0) }
        try source.initialize(consumer: consumer)
        try source.start()
        // What arrives before the start is discarded.
        reader.add([.zero, .seconds(3600), .seconds(1), .seconds(7200)])
        consumer.awaitFrames(4)
        source.dispose()
        #expect(consumer.times == [.zero, .seconds(3600), .seconds(1), .seconds(7200)])
        #expect(consumer.conditions.isEmpty)
    }

    @Test func waitsGrowAndThePictureComesBack() throws {
        let waits = Waits()
        let tries = Atomic(0)
        let consumer = WaitingConsumer()
        let script = ArrivingReader.Script([])
        let source = Self.source(waits) { (cancellation) throws(StreamError) in
            guard tries.add(1, ordering: .relaxed).newValue > 8 else {
                throw StreamError(.cannotOpen, "No server listens at door: check the address.")
            }
            return ArrivingReader(script, cancellation)
        }
        try source.initialize(consumer: consumer)
        try source.start()
        script.add([.zero])
        consumer.awaitFrames(1)
        source.dispose()
        let seconds = [1, 2, 4, 8, 10, 10, 10, 10]
        // The first tries may have been before the start, and only the last of those is reported.
        #expect(waits.all == seconds.map { .seconds($0) })
        #expect(consumer.conditions.last == .live)
        #expect(consumer.conditions.allSatisfy { [Self.notConnected, .live].contains($0.withoutRetry) })
    }

    static let notConnected = SourceCondition.waiting(
        "Not connected: No server listens at door: check the address.", code: .cannotOpen)

    @Test func aLossSaysWhenTheNextTryBegins() throws {
        let consumer = WaitingConsumer()
        let cancellation = ReadCancellation()
        let waits = RetrySchedule(waits: [.seconds(100)])
        let source = LiveSource(name: "door", retries: waits, cancellation: cancellation) {
            throw StreamError(.cannotOpen, "No server listens at door: check the address.")
        }
        let begin = MonotonicTime.now
        try source.initialize(consumer: consumer)
        consumer.awaitConditions(0)
        try source.start()
        consumer.awaitConditions(1)
        let end = MonotonicTime.now
        source.dispose()
        guard case .waiting(_, let retry?, .cannotOpen) = consumer.conditions.last else {
            throw StreamError(.malformed, "\(consumer.conditions)")
        }
        #expect(retry >= begin + .seconds(100) && retry <= end + .seconds(100))
    }

    /// The waits start over only after a lasting success: a server that ends each connection is not flooded.
    ///
    /// Each connection is read twice: for a frame, and for the end.
    @Test(arguments: [(4, [1, 2, 4]), (5, [1, 1, 1])]) func successBeginsTheWaitsAnew(
        _ seconds: Int, _ expected: [Int]
    ) throws {
        let waits = Waits()
        let consumer = WaitingConsumer()
        let opened = Atomic(0)
        let source = Self.source(waits) { (cancellation) throws(StreamError) in
            let isLast = opened.add(1, ordering: .relaxed).newValue > 3
            let script = ArrivingReader.Script([.zero], ends: !isLast) { waits.pass(.seconds(seconds)) }
            return ArrivingReader(script, cancellation)
        }
        try source.initialize(consumer: consumer)
        try source.start()
        waits.wait(for: 3)
        source.dispose()
        #expect(waits.all.prefix(3).map { Int($0.components.seconds) } == expected)
    }

    /// Stopped for a while, it shows what is new and nothing of what came meanwhile.
    @Test func pauseDiscards() throws {
        let script = ArrivingReader.Script([])
        let consumer = WaitingConsumer()
        let source = Self.source(Waits()) { ArrivingReader(script, $0) }
        try source.initialize(consumer: consumer)
        try source.start()
        script.add([.seconds(1)])
        consumer.awaitFrames(1)
        source.stop()
        script.add([.seconds(2), .seconds(3)])
        // When the reader is asked for the fourth frame, the three before it have been discarded.
        script.awaitRequest(4)
        try source.start()
        script.add([.seconds(4)])
        consumer.awaitFrames(2)
        source.dispose()
        #expect(consumer.times == [.seconds(1), .seconds(4)])
    }

    /// The wait is so long that the test can only pass if it is cut short.
    @Test func startAndDisposeCutTheWaitShort() throws {
        let tries = Monitor(0)
        let wait = Duration.seconds(30)
        let begin = ContinuousClock.now
        let consumer = WaitingConsumer()
        let source = LiveSource(name: "door", retries: RetrySchedule(waits: [wait])) {
            tries.change { $0 += 1 }
            throw StreamError(.cannotOpen, "No server listens.")
        }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        let before = tries.withLock { $0 }
        while tries.withLock({ $0 }) == before {
            source.stop()
            try source.start()
        }
        source.dispose()
        #expect(ContinuousClock.now - begin < wait)
    }

    /// A permanent error is not retried, and is reported at each start.
    @Test func whatIsNoVideoFails() throws {
        let waits = Waits()
        let consumer = WaitingConsumer()
        let source = Self.source(waits) { (_) throws(StreamError) in throw StreamError(.unsupported, "It is a song.") }
        try source.initialize(consumer: consumer)
        for round in 1...2 {
            try source.start()
            consumer.awaitConditions(round)
            source.stop()
        }
        source.dispose()
        #expect(consumer.conditions == Array(repeating: .failed("It is a song.", code: .unsupported), count: 2))
        #expect(waits.all.isEmpty)
    }

    /// A stream that was shown before is tried again, whatever it looks like at first when its sender comes back.
    @Test func whatWasShownComesBack() throws {
        let tries = Atomic(0)
        let isStarted = Monitor(false)
        let consumer = WaitingConsumer()
        let source = Self.source(Waits()) { (cancellation) throws(StreamError) in
            // What arrives before the start is discarded.
            isStarted.wait { $0 ? () : nil }
            switch tries.add(1, ordering: .relaxed).newValue {
            case 1: return ArrivingReader(ArrivingReader.Script([.zero], ends: true), cancellation)
            case 2: throw StreamError(.unsupported, "It has no video.")
            default: return ArrivingReader(ArrivingReader.Script([.seconds(1)]), cancellation)
            }
        }
        try source.initialize(consumer: consumer)
        try source.start()
        isStarted.change { $0 = true }
        consumer.awaitFrames(2)
        source.dispose()
        #expect(consumer.times == [.zero, .seconds(1)])
    }

    /// Gives one packet and ends.
    private final class ShortReader: PacketReader {
        let container = "test"
        let isLive = true
        let duration: Duration? = nil
        private var packet: EncodedPacket?
        let shown: TrackInfo
        var tracks: [TrackInfo] { [shown] }

        init(_ packet: EncodedPacket) { (self.packet, shown) = (packet, packet.track) }

        func select(_ tracks: Set<Int>) {}

        func next() -> EncodedPacket? {
            defer { packet = nil }
            return packet
        }
    }

    /// Gives the same packet until it is cancelled.
    private final class EndlessReader: PacketReader {
        let container = "test"
        let isLive = true
        let duration: Duration? = nil
        let shown: TrackInfo
        let tracks: [TrackInfo]
        private let packet: EncodedPacket
        private let cancellation: ReadCancellation

        init(_ packet: EncodedPacket, _ cancellation: ReadCancellation) {
            (self.packet, self.cancellation) = (packet, cancellation)
            (shown, tracks) = (packet.track, [packet.track])
        }

        func select(_ tracks: Set<Int>) {}

        func next() throws(StreamError) -> EncodedPacket? {
            if cancellation.isCancelled { throw StreamError(.readFailed, "Cancelled.") }
            usleep(1000)
            return packet
        }
    }

    /// The consumer is called on the thread that decodes, and both threads of the source end with it.
    @Test func theConsumerMayHaveTheLastReference() throws {
        let packet = try PacketOutletTests.packet(1, isKeyFrame: true)
        let kept = Monitor<LiveSource?>(nil)
        let isReleased = Monitor(false)
        let log = DecodingSourceTests.Log()
        log.turns.withLock { $0 = 1 }
        let consumer = WaitingConsumer { _ in
            // Taken and released at once.
            _ = kept.wait { source in
                defer { source = nil }
                return source
            }
            isReleased.change { $0 = true }
        }
        do {
            let cancellation = ReadCancellation()
            let source = LiveSource(
                name: "door", cancellation: cancellation, decoder: { _ in DecodingSourceTests.Decoder(log) },
                playout: .none
            ) { .packets(EndlessReader(packet, cancellation)) }
            try source.initialize(consumer: consumer)
            try source.start()
            kept.change { $0 = source }
        }
        let isDone: Void? = isReleased.wait(until: .now + .seconds(60)) { $0 ? () : nil }
        #expect(isDone != nil && consumer.times.count <= 1)
    }

    /// The pictures of a lost connection may still wait for their decoder when the next one looks unsupported.
    @Test func whatIsNotDecodedYetComesBack() throws {
        let packet = try PacketOutletTests.packet(1, isKeyFrame: true)
        let tries = Monitor(0)
        let consumer = WaitingConsumer()
        let cancellation = ReadCancellation()
        let log = DecodingSourceTests.Log()
        let source = LiveSource(
            name: "door", retries: .scheduled(RetrySchedule()), cancellation: cancellation, clock: Waits().clock,
            decoder: { _ in
                tries.wait { $0 > 2 ? () : nil }
                return DecodingSourceTests.Decoder(log)
            }
        ) { () throws(StreamError) in
            let number = tries.change { count in
                count += 1
                return count
            }
            switch number {
            case 1: return .packets(ShortReader(packet))
            case 2: throw StreamError(.unsupported, "It has no video.")
            default: return .frames(ArrivingReader(ArrivingReader.Script([.seconds(1)]), cancellation))
            }
        }
        try source.initialize(consumer: consumer)
        try source.start()
        let isTriedAgain: Void? = tries.wait(until: .now + .seconds(30)) { $0 > 2 ? () : nil }
        #expect(isTriedAgain != nil)
        // A decoder that still waits is let go.
        tries.change { $0 += 10 }
        source.dispose()
        #expect(!consumer.conditions.contains { if case .failed = $0 { true } else { false } })
    }

    @Test func storedMediaPlaysAtItsTimesAndEnds() throws {
        let consumer = WaitingConsumer()
        let source = Self.source(Waits()) { (_) throws(StreamError) in
            ListReader([.zero, .milliseconds(30)], rate: Rational(50))
        }
        try source.initialize(consumer: consumer)
        let begin = ContinuousClock.now
        try source.start()
        consumer.awaitConditions(1)
        #expect(ContinuousClock.now - begin >= .milliseconds(30))
        #expect(consumer.conditions == [.ended])
        source.dispose()
    }

    @Test func disposedWhileItReadsItSaysNothing() throws {
        let cancellation = ReadCancellation()
        let consumer = WaitingConsumer()
        let script = ArrivingReader.Script([])
        let source = LiveSource(name: "door", cancellation: cancellation) {
            ArrivingReader(script, cancellation)
        }
        try source.initialize(consumer: consumer)
        try source.start()
        script.add([.zero])
        consumer.awaitFrames(1)
        source.dispose()
        #expect(consumer.conditions.isEmpty)
    }
}

/// A live reader whose frames arrive when a test says so.
final class ArrivingReader: FrameReader {
    /// What arrives, from any thread.
    final class Script: Sendable {
        struct Content {
            var times: [Duration]
            var requests = 0
        }

        let content: Monitor<Content>
        /// Whether the stream ends after these; otherwise more may come.
        let ends: Bool
        let onRequest: @Sendable () -> Void

        init(_ times: [Duration], ends: Bool = false, onRequest: @escaping @Sendable () -> Void = {}) {
            content = Monitor(Content(times: times))
            (self.ends, self.onRequest) = (ends, onRequest)
        }

        func add(_ times: [Duration]) { content.change { $0.times += times } }
        func awaitRequest(_ count: Int) { _ = content.wait { $0.requests >= count ? () : nil } }
    }

    let info = StreamInfo(container: "live", size: VideoSize(width: 2, height: 2), isLive: true)
    private let script: Script
    private let cancellation: ReadCancellation

    init(_ script: Script, _ cancellation: ReadCancellation) {
        (self.script, self.cancellation) = (script, cancellation)
    }

    func next() throws(StreamError) -> VideoFrame? {
        script.content.change { $0.requests += 1 }
        script.onRequest()
        var time: Duration?
        while time == nil {
            if cancellation.isCancelled { throw StreamError(.readFailed, "Cancelled.") }
            // A reader checks now and then whether it was cancelled.
            time = script.content.wait(until: .now + .milliseconds(5)) {
                $0.times.isEmpty ? nil : $0.times.removeFirst()
            }
            if time == nil, script.ends { return nil }
        }
        guard let time else { return nil }
        do {
            let bytes = [UInt8](repeating: 0, count: 6)
            return VideoFrame(try PixelBuffer(packed: bytes, format: .i420, size: info.size), presentationTime: time)
        } catch {
            throw StreamError(.readFailed, "\(error)")
        }
    }

    func rewind() throws(StreamError) { throw StreamError(.unsupported, "Live.") }
}

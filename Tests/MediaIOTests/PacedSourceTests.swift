import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// Stored media on a thread of its own: order, times, the end and errors.
@Suite(.timeLimit(.minutes(25))) struct PacedSourceTests {
    @Test func framesComeInOrderAndThenTheEnd() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "list") {
            ListReader((0..<20).map { .microseconds($0) })
        }
        try source.initialize(consumer: consumer)
        #expect(consumer.times.isEmpty)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times == (0..<20).map { .microseconds($0) })
        #expect(consumer.conditions == [.ended])
        source.stop()
        source.dispose()
        #expect(consumer.times.count == 20)
        #expect(consumer.conditions == [.ended])
    }

    @Test func startedAfterTheEndItPlaysAgain() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "again") {
            ListReader((0..<3).map { .microseconds($0) })
        }
        try source.initialize(consumer: consumer)
        for round in 1...3 {
            try source.start()
            consumer.awaitConditions(round)
            source.stop()
            #expect(consumer.times.count == round * 3)
        }
        source.dispose()
        #expect(consumer.conditions == [.ended, .ended, .ended])
    }

    /// Where there is no way back, the end is reported again; what broke stays broken.
    @Test(arguments: [nil, StreamError(.readFailed, "The disk is gone.")])
    func startedAfterTheEndItSaysSo(_ error: StreamError?) throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "pipe") {
            ListReader([.zero], error: error, cannotRewind: StreamError(.unsupported, "A pipe has no way back."))
        }
        try source.initialize(consumer: consumer)
        for round in 1...3 {
            try source.start()
            consumer.awaitConditions(round)
            source.stop()
        }
        source.dispose()
        #expect(consumer.times == [.zero])
        #expect(
            consumer.conditions
                == Array(repeating: error.map { .failed($0.description, code: $0.code) } ?? .ended, count: 3))
    }

    /// A jump of an hour is not waited for, forward or back: that the test ends is the proof.
    @Test(arguments: [[0, 3_600_000, 3_600_001], [3_600_000, 7_200_000, 7_200_001, 0, 1]])
    func jumpIsNotWaitedFor(_ milliseconds: [Int]) throws {
        let consumer = WaitingConsumer()
        let times = milliseconds.map { Duration.milliseconds($0) }
        let source = PacedSource(name: "jump") { ListReader(times) }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times == times)
        source.dispose()
    }

    @Test func timesThatDoNotRiseFollowTheRate() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "timeless") {
            ListReader(Array(repeating: .zero, count: 6), rate: Rational(50))
        }
        try source.initialize(consumer: consumer)
        let begin = ContinuousClock.now
        try source.start()
        consumer.awaitConditions(1)
        // The sixth frame is due after five frames' length. A slow machine takes longer, none is faster.
        #expect(ContinuousClock.now - begin >= .milliseconds(100))
        source.dispose()
    }

    /// The thread that draws comes first when there is too much to do.
    @Test func capturingYieldsToDrawing() throws {
        let priorities = Monitor<[Int32]>([])
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        let source = PacedSource(name: "polite") {
            priorities.withLock { $0.append(getpriority(thread, 0)) }
            return ListReader.endless()
        }
        try source.initialize(consumer: WaitingConsumer())
        source.dispose()
        #expect(priorities.withLock { $0 } == [min(getpriority(thread, 0) + 10, 19)])
    }

    @Test func failureToOpenIsThrown() {
        let consumer = WaitingConsumer()
        let failure = StreamError(.cannotOpen, "It does not exist.", underlying: 2)
        let source = PacedSource(name: "missing") { throw failure }
        for _ in 0..<3 {
            let error = #expect(throws: StreamError.self) { try source.initialize(consumer: consumer) }
            #expect(error == failure)
        }
        source.dispose()
        #expect(consumer.conditions.isEmpty)
    }

    @Test func sourceThatOpensLaterIsInitializedThen() throws {
        let isThere = Atomic(false)
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "late") {
            guard isThere.exchange(true, ordering: .sequentiallyConsistent) else {
                throw StreamError(.cannotOpen, "Not yet.")
            }
            return ListReader.endless()
        }
        #expect(throws: StreamError.self) { try source.initialize(consumer: consumer) }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitFrames(3)
        source.stop()
        source.dispose()
    }

    @Test func readerErrorEndsTheStream() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "broken") {
            ListReader([.zero, .zero], error: StreamError(.readFailed, "The disk is gone."))
        }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times.count == 2)
        #expect(consumer.conditions == [.failed("The disk is gone.", code: .readFailed)])
        source.stop()
        source.dispose()
    }

    /// The second frame is due in nine seconds and never comes.
    @Test func stopDoesNotWaitForTheNextFrame() throws {
        for disposesOnly in [false, true] {
            let consumer = WaitingConsumer()
            let source = PacedSource(name: "slow") { ListReader([.zero, .seconds(9)]) }
            try source.initialize(consumer: consumer)
            try source.start()
            consumer.awaitFrames(1)
            if !disposesOnly { source.stop() }
            source.dispose()
            #expect(consumer.times == [.zero])
        }
    }

    /// Times that fall by more than the machine is up must not be waited for.
    @Test func timesThatFallAreShownAtOnce() throws {
        let consumer = WaitingConsumer()
        let far = Duration.seconds(1_000_000_000)
        let source = PacedSource(name: "jumpy") {
            ListReader([far, .zero, .zero - far, .zero - far])
        }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times == [far, .zero, .zero - far, .zero - far])
        source.stop()
        source.dispose()
    }

    /// Ten frames at 50 a second: the last one is due 180 ms after the first.
    ///
    /// Without the rate they would arrive immediately.
    @Test func framesWithoutTimesFollowTheRate() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "timeless") {
            ListReader(Array(repeating: nil, count: 10), rate: Rational(50))
        }
        try source.initialize(consumer: consumer)
        let begin = ContinuousClock.now
        try source.start()
        consumer.awaitFrames(10)
        #expect(ContinuousClock.now - begin >= .milliseconds(180))
        source.stop()
        source.dispose()
    }

    /// A reader that is too slow is told so, and later that it is quick enough; what it left out is counted.
    @Test func aSlowReaderLeavesFramesOut() throws {
        let reader = Monitor<SlowReader?>(nil)
        let mailbox = FrameMailbox()
        let source = PacedSource(name: "slow") {
            let made = SlowReader()
            reader.withLock { $0 = made }
            return made
        }
        let stream = VideoStream(source: source, sinks: [mailbox])
        try stream.initialize()
        defer { stream.dispose() }
        try stream.start()
        let made = try #require(reader.withLock { $0 })
        #expect(eventually { made.isOmitting && mailbox.statistics.omitted > 0 })
        #expect(mailbox.statistics.received > 0)
        made.isSlow.store(false, ordering: .relaxed)
        #expect(eventually { !made.isOmitting })
    }

    private func eventually(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < end { usleep(5000) }
        return condition()
    }
}

/// Frames at 100 per second without an end, which take 15 ms each while it is slow.
private final class SlowReader: FrameReader, Sendable {
    let info = StreamInfo(container: "test", size: VideoSize(width: 2, height: 2), frameRate: Rational(100))
    let isSlow = Atomic(true)
    let demand: ReadingDemand? = ReadingDemand()
    var isOmitting: Bool { demand?.isOmitting == true }
    private let number = Atomic(0)
    private let pool = PixelBufferPool()

    func next() throws(StreamError) -> VideoFrame? {
        let step = isOmitting ? 2 : 1
        let now = number.wrappingAdd(step, ordering: .relaxed).newValue
        if isSlow.load(ordering: .relaxed) { usleep(15_000) }
        let buffer = try pool.makeBuffer(format: .i420, size: info.size) { _ in }
        return VideoFrame(buffer, presentationTime: .milliseconds(10 * now))
    }

    func rewind() throws(StreamError) {}
}

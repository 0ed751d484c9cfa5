import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// A source with a thread: what it promises of the time after `stop()` and `dispose()`.
@Suite(.timeLimit(.minutes(2))) struct PacedSourceTests {
    static func endless(_ step: Duration = .zero) -> ListReader {
        ListReader((0..<1000).map { step * $0 }, repeats: true)
    }

    @Test func framesComeInOrderAndThenTheEnd() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "list") { () throws(StreamError) in
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
        let source = PacedSource(name: "again") { () throws(StreamError) in
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
        let source = PacedSource(name: "pipe") { () throws(StreamError) in
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
        #expect(consumer.conditions == Array(repeating: error.map { .failed($0.description) } ?? .ended, count: 3))
    }

    /// A jump of an hour is not waited for, forward or back: that the test ends is the proof.
    @Test(arguments: [[0, 3_600_000, 3_600_001], [3_600_000, 7_200_000, 7_200_001, 0, 1]])
    func jumpIsNotWaitedFor(_ milliseconds: [Int]) throws {
        let consumer = WaitingConsumer()
        let times = milliseconds.map { Duration.milliseconds($0) }
        let source = PacedSource(name: "jump") { () throws(StreamError) in ListReader(times) }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times == times)
        source.dispose()
    }

    @Test func timesThatDoNotRiseFollowTheRate() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "timeless") { () throws(StreamError) in
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
        let source = PacedSource(name: "polite") { () throws(StreamError) in
            priorities.withLock { $0.append(getpriority(thread, 0)) }
            return Self.endless()
        }
        try source.initialize(consumer: WaitingConsumer())
        source.dispose()
        #expect(priorities.withLock { $0 } == [min(getpriority(thread, 0) + 10, 19)])
    }

    @Test func failureToOpenIsThrown() {
        let consumer = WaitingConsumer()
        let failure = StreamError(.cannotOpen, "It does not exist.", underlying: 2)
        let source = PacedSource(name: "missing") { () throws(StreamError) in throw failure }
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
        let source = PacedSource(name: "late") { () throws(StreamError) in
            guard isThere.exchange(true, ordering: .sequentiallyConsistent) else {
                throw StreamError(.cannotOpen, "Not yet.")
            }
            return Self.endless()
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
        let source = PacedSource(name: "broken") { () throws(StreamError) in
            ListReader([.zero, .zero], error: StreamError(.readFailed, "The disk is gone."))
        }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times.count == 2)
        #expect(consumer.conditions == [.failed("The disk is gone.")])
        source.stop()
        source.dispose()
    }

    /// The second frame is due in nine seconds and never comes.
    @Test func stopDoesNotWaitForTheNextFrame() throws {
        for disposesOnly in [false, true] {
            let consumer = WaitingConsumer()
            let source = PacedSource(name: "slow") { () throws(StreamError) in ListReader([.zero, .seconds(9)]) }
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
        let source = PacedSource(name: "jumpy") { () throws(StreamError) in
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
        let source = PacedSource(name: "timeless") { () throws(StreamError) in
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

    @Test func startAfterStopGoesOn() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "long") { () throws(StreamError) in Self.endless(.nanoseconds(1)) }
        try source.initialize(consumer: consumer)
        for round in 1...5 {
            try source.start()
            consumer.awaitFrames(round * 5)
            source.stop()
        }
        source.dispose()
        let times = consumer.times.prefix(1000)
        #expect(times.elementsEqual((0..<times.count).map { .nanoseconds($0) }))
    }

    @Test func consumerMayStopItsSource() throws {
        let source = Monitor<PacedSource?>(nil)
        let consumer = WaitingConsumer { _ in source.withLock { $0 }?.stop() }
        let made = PacedSource(name: "stopped from within") { () throws(StreamError) in Self.endless() }
        source.withLock { $0 = made }
        try made.initialize(consumer: consumer)
        for round in 1...10 {
            try made.start()
            consumer.awaitFrames(round)
            // Waits until the consumer has returned.
            made.stop()
            #expect(consumer.times.count == round)
        }
        made.dispose()
        source.withLock { $0 = nil }
    }

    @Test func nothingComesAfterStop() throws {
        let isAllowed = Atomic(false)
        let isInside = Atomic(false)
        let violations = Atomic(0)
        let count = Atomic(0)
        let consumer = WaitingConsumer { _ in
            isInside.store(true, ordering: .sequentiallyConsistent)
            if !isAllowed.load(ordering: .sequentiallyConsistent) { violations.add(1, ordering: .relaxed) }
            count.add(1, ordering: .relaxed)
            isInside.store(false, ordering: .sequentiallyConsistent)
        }
        let source = PacedSource(name: "fast") { () throws(StreamError) in Self.endless() }
        try source.initialize(consumer: consumer)
        for round in 0..<2000 {
            isAllowed.store(true, ordering: .sequentiallyConsistent)
            try source.start()
            // Most rounds stop anywhere; some are sure to stop between two frames of many.
            if round % 50 == 0 { consumer.awaitFrames(count.load(ordering: .relaxed) + 3) }
            source.stop()
            if isInside.load(ordering: .sequentiallyConsistent) { violations.add(1, ordering: .relaxed) }
            isAllowed.store(false, ordering: .sequentiallyConsistent)
        }
        source.dispose()
        #expect(violations.load(ordering: .relaxed) == 0)
        #expect(count.load(ordering: .relaxed) >= 120)
    }

    /// A consumer that is held inside a call holds `stop()` up, and is not called again after it.
    @Test func stopWaitsForTheConsumer() throws {
        let gate = Monitor((isInside: false, isOpen: false, calls: 0))
        let consumer = WaitingConsumer { _ in
            gate.change { ($0.isInside, $0.calls) = (true, $0.calls + 1) }
            _ = gate.wait { $0.isOpen ? () : nil }
        }
        let source = PacedSource(name: "held") { () throws(StreamError) in Self.endless() }
        try source.initialize(consumer: consumer)
        for round in 1...20 {
            gate.change { ($0.isInside, $0.isOpen) = (false, false) }
            try source.start()
            _ = gate.wait { $0.isInside ? () : nil }
            let hasStopped = Monitor(false)
            let stopper = try SystemThread(for: "the test") {
                source.stop()
                hasStopped.change { $0 = true }
            }
            // Many turns for a stop that does not wait; the consumer is inside all the while.
            for _ in 0..<200 { sched_yield() }
            usleep(2000)
            #expect(hasStopped.withLock { $0 } == false)
            gate.change { $0.isOpen = true }
            stopper.join()
            let calls = gate.withLock { $0.calls }
            // The gate stays open: a source that went on would be counted.
            for _ in 0..<50 { sched_yield() }
            usleep(500)
            #expect(gate.withLock { $0.calls } == calls, "round \(round)")
        }
        source.dispose()
    }

    @Test func stepsOutOfOrderAreErrors() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "orderly") { () throws(StreamError) in Self.endless() }
        func code(_ step: () throws -> Void) -> StreamError.Code? {
            do { try step() } catch { return (error as? StreamError)?.code }
            return nil
        }
        #expect(code { try source.start() } == .wrongOrder)
        try source.initialize(consumer: consumer)
        #expect(code { try source.initialize(consumer: consumer) } == .wrongOrder)
        try source.start()
        #expect(code { try source.start() } == .wrongOrder)
        source.dispose()
        #expect(code { try source.start() } == .wrongOrder)
        #expect(code { try source.initialize(consumer: consumer) } == .wrongOrder)
    }

    /// A source that is released without `dispose()` ends its thread and releases its consumer.
    @Test func lettingGoIsDisposing() throws {
        weak var forgotten: WaitingConsumer?
        do {
            let consumer = WaitingConsumer()
            forgotten = consumer
            let source = PacedSource(name: "dropped") { () throws(StreamError) in Self.endless() }
            try source.initialize(consumer: consumer)
            try source.start()
            consumer.awaitFrames(3)
        }
        #expect(forgotten == nil)
    }

    @Test func whileStoppedFromManyThreadsNothingHangs() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "busy") { () throws(StreamError) in Self.endless() }
        let stream = VideoStream(source: source, sinks: [])
        let other = PacedSource(name: "other") { () throws(StreamError) in Self.endless() }
        try other.initialize(consumer: consumer)
        try stream.initialize()
        let threads = try (0..<3).map { _ in
            try SystemThread(for: "the test") {
                for _ in 0..<200 {
                    try? stream.start()
                    stream.stop()
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(stream.state == .initialized)
        stream.dispose()
        other.dispose()
    }

    @Test func disposeLetsGoOfEverything() throws {
        let readers = Atomic(0)
        weak var forgotten: WaitingConsumer?
        do {
            let consumer = WaitingConsumer()
            forgotten = consumer
            let source = PacedSource(name: "held") { () throws(StreamError) in
                readers.add(1, ordering: .sequentiallyConsistent)
                return ListReader([.zero], repeats: true) { readers.subtract(1, ordering: .sequentiallyConsistent) }
            }
            try source.initialize(consumer: consumer)
            try source.start()
            consumer.awaitFrames(2)
            source.stop()
            #expect(readers.load(ordering: .sequentiallyConsistent) == 1)
            source.dispose()
            source.dispose()
            #expect(readers.load(ordering: .sequentiallyConsistent) == 0)
        }
        #expect(forgotten == nil)
    }

    @Test func cancelEndsAReadThatWaits() throws {
        let cancellation = ReadCancellation()
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "pipe", cancellation: cancellation) {
            () throws(StreamError) in BlockingReader(cancellation)
        }
        try source.initialize(consumer: consumer)
        try source.start()
        source.stop()
        source.dispose()
        #expect(consumer.times.isEmpty)
    }
}

/// A reader whose frames do not come until it is cancelled.
private final class BlockingReader: FrameReader {
    let info = StreamInfo(container: "blocking", size: VideoSize(width: 2, height: 2))
    private let cancellation: ReadCancellation

    init(_ cancellation: ReadCancellation) { self.cancellation = cancellation }

    func next() throws(StreamError) -> VideoFrame? {
        while !cancellation.isCancelled { sched_yield() }
        throw StreamError(.readFailed, "Cancelled.")
    }

    func rewind() {}
}

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// A source with a thread: what it promises of the time after `stop()` and `dispose()`.
struct ReaderSourceTests {
    static func endless(_ step: Duration = .zero) -> ListReader {
        ListReader((0..<1000).map { step * $0 }, repeats: true)
    }

    @Test func framesComeInOrderAndThenTheEnd() throws {
        let consumer = WaitingConsumer()
        let source = ReaderSource(name: "list") { () throws(StreamError) in
            ListReader((0..<20).map { .microseconds($0) })
        }
        try source.initialize(consumer: consumer)
        #expect(consumer.times.isEmpty)
        try source.start()
        consumer.awaitConditions(1)
        #expect(consumer.times == (0..<20).map { .microseconds($0) })
        #expect(consumer.conditions == [.ended])
        // There is nothing more to come, however often it is started.
        source.stop()
        try source.start()
        source.stop()
        source.dispose()
        #expect(consumer.times.count == 20)
        #expect(consumer.conditions == [.ended])
    }

    @Test func failureToOpenIsThrown() {
        let consumer = WaitingConsumer()
        let failure = StreamError(.cannotOpen, "It does not exist.", underlying: 2)
        let source = ReaderSource(name: "missing") { () throws(StreamError) in throw failure }
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
        let source = ReaderSource(name: "late") { () throws(StreamError) in
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
        let source = ReaderSource(name: "broken") { () throws(StreamError) in
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

    /// The second frame is due in an hour: that the test ends is the proof.
    @Test func stopDoesNotWaitForTheNextFrame() throws {
        for disposesOnly in [false, true] {
            let consumer = WaitingConsumer()
            let source = ReaderSource(name: "slow") { () throws(StreamError) in ListReader([.zero, .seconds(3600)]) }
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
        let source = ReaderSource(name: "jumpy") { () throws(StreamError) in
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
    /// Without the rate they would come at once.
    @Test func framesWithoutTimesFollowTheRate() throws {
        let consumer = WaitingConsumer()
        let source = ReaderSource(name: "timeless") { () throws(StreamError) in
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
        let source = ReaderSource(name: "long") { () throws(StreamError) in Self.endless(.nanoseconds(1)) }
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
        let source = Monitor<ReaderSource?>(nil)
        let consumer = WaitingConsumer { _ in source.withLock { $0 }?.stop() }
        let made = ReaderSource(name: "stopped from within") { () throws(StreamError) in Self.endless() }
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
        let source = ReaderSource(name: "fast") { () throws(StreamError) in Self.endless() }
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
        let source = ReaderSource(name: "held") { () throws(StreamError) in Self.endless() }
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
        let source = ReaderSource(name: "orderly") { () throws(StreamError) in Self.endless() }
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

    /// A source that is let go without a word ends its thread and lets go of its consumer.
    @Test func lettingGoIsDisposing() throws {
        weak var forgotten: WaitingConsumer?
        do {
            let consumer = WaitingConsumer()
            forgotten = consumer
            let source = ReaderSource(name: "dropped") { () throws(StreamError) in Self.endless() }
            try source.initialize(consumer: consumer)
            try source.start()
            consumer.awaitFrames(3)
        }
        #expect(forgotten == nil)
    }

    @Test func whileStoppedFromManyThreadsNothingHangs() throws {
        let consumer = WaitingConsumer()
        let source = ReaderSource(name: "busy") { () throws(StreamError) in Self.endless() }
        let stream = VideoStream(source: source, sinks: [])
        let other = ReaderSource(name: "other") { () throws(StreamError) in Self.endless() }
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
            let source = ReaderSource(name: "held") { () throws(StreamError) in
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
        let source = ReaderSource(name: "pipe", cancellation: cancellation) {
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

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// What a source promises about the time after `stop()` and `dispose()`.
@Suite(.timeLimit(.minutes(25))) struct PacedSourceStopTests {
    @Test func startAfterStopGoesOn() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "long") { ListReader.endless(.nanoseconds(1)) }
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
        let made = PacedSource(name: "stopped from within") { ListReader.endless() }
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
        let source = PacedSource(name: "fast") { ListReader.endless() }
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
        let source = PacedSource(name: "held") { ListReader.endless() }
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
        let source = PacedSource(name: "orderly") { ListReader.endless() }
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
            let source = PacedSource(name: "dropped") { ListReader.endless() }
            try source.initialize(consumer: consumer)
            try source.start()
            consumer.awaitFrames(3)
        }
        #expect(forgotten == nil)
    }

    @Test func whileStoppedFromManyThreadsNothingHangs() throws {
        let consumer = WaitingConsumer()
        let source = PacedSource(name: "busy") { ListReader.endless() }
        let stream = VideoStream(source: source, sinks: [])
        let other = PacedSource(name: "other") { ListReader.endless() }
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
            let source = PacedSource(name: "held") {
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
            BlockingReader(cancellation)
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

extension ListReader {
    /// Frames one step apart, again and again.
    static func endless(_ step: Duration = .zero) -> ListReader {
        ListReader((0..<1000).map { step * $0 }, repeats: true)
    }
}

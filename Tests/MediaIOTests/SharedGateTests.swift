import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// A source and its stream share one gate, and each keeps its promise with its own door.
@Suite(.timeLimit(.minutes(25))) struct SharedGateTests {
    /// A fault fails the test instead of holding up the run.
    private static var deadline: MonotonicTime { .now + .seconds(30) }

    static func frame(_ second: Int) throws -> VideoFrame { try VideoStreamTests.frame(at: .seconds(second)) }

    /// A source may have several of ours inside and give each its consumer: the stream's door counts for all of them.
    @Test(arguments: [false, true]) func sourcesInsideASource(isLate: Bool) throws {
        let source = SourceOfSources(count: 3, isLate: isLate)
        let journal = Journal()
        let stream = VideoStream(source: source, sinks: [RecordingSink("sink", journal)])
        try stream.initialize()
        try stream.start()
        journal.clear()
        func push(_ second: Int) throws -> [PushSource.PushResult] {
            let frame = try Self.frame(second)
            source.tell(.waiting("\(second)"))
            return source.inside.map { $0.push(frame) }
        }
        #expect(try push(1) == [.delivered, .delivered, .delivered])
        // It is disposed of, but the others are not.
        source.inside[0].dispose()
        #expect(try push(2) == [.disposed, .delivered, .delivered])
        let (first, second) = ("sink consume 1.0 seconds", "sink consume 2.0 seconds")
        let told = (1...2).map { "sink \(SourceCondition.waiting("\($0)"))" }
        #expect(journal.entries == [told[0], first, first, first, told[1], second, second])
        // It does not stop the others: the stream does.
        stream.stop()
        journal.clear()
        #expect(try push(3) == [.disposed, .notStarted, .notStarted])
        #expect(journal.entries.isEmpty)
        try stream.start()
        #expect(try push(4) == [.disposed, .delivered, .delivered])
        journal.clear()
        try stream.setSource(PushSource(name: "next"))
        #expect(try push(5) == [.disposed, .disposed, .disposed])
        stream.dispose()
        #expect(!journal.entries.contains { $0.contains("consume") })
    }

    /// The threads of all of them push, and the source itself calls the sinks, too.
    @Test func theirCallsComeOneAtATime() throws {
        let source = SourceOfSources(count: 3, isLate: false)
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let received = Atomic(0)
        let told = Atomic(0)
        let sink = FrameHandler { _ in
            if inside.add(1, ordering: .sequentiallyConsistent).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
            received.add(1, ordering: .relaxed)
            // So that another thread would come meanwhile, if it could.
            sched_yield()
            inside.subtract(1, ordering: .sequentiallyConsistent)
        }
        let stream = VideoStream(source: source, sinks: [sink])
        try stream.initialize()
        let frame = try Self.frame(0)
        let isDone = Atomic(false)
        let threads = try source.inside.map { pushed in
            try SystemThread(for: "the test") {
                while !isDone.load(ordering: .relaxed) {
                    source.tell(.live)
                    if pushed.push(frame) == .delivered { told.add(1, ordering: .relaxed) }
                }
            }
        }
        for _ in 0..<100 {
            try stream.start()
            let before = received.load(ordering: .relaxed)
            while received.load(ordering: .relaxed) < before + 20 { sched_yield() }
            stream.stop()
            #expect(inside.load(ordering: .sequentiallyConsistent) == 0)
        }
        isDone.store(true, ordering: .relaxed)
        for thread in threads { thread.join() }
        stream.dispose()
        #expect(overlaps.load(ordering: .relaxed) == 0)
        #expect(told.load(ordering: .relaxed) == received.load(ordering: .relaxed))
    }

    /// A sink stops the stream at each frame: the source goes on with the next one, and none gets lost in between.
    @Test func aSinkThatStopsLosesNothing() throws {
        let count = 20
        let source = PacedSource(name: "paced") { ListReader((0..<count).map { .milliseconds($0) }) }
        let stream = Monitor<VideoStream?>(nil)
        let (times, end) = (Monitor<[Duration?]>([]), Monitor(false))
        let sink = FrameHandler(onCondition: { condition in
            if condition == .ended { end.change { $0 = true } }
        }) { frame in
            stream.withLock { $0 }?.stop()
            times.change { $0.append(frame.presentationTime) }
        }
        let made = VideoStream(source: source, sinks: [sink])
        stream.withLock { $0 = made }
        try made.initialize()
        for round in 1...count {
            try made.start()
            try #require(times.wait(until: Self.deadline) { $0.count >= round ? round : nil } != nil)
        }
        try made.start()
        try #require(end.wait(until: Self.deadline) { $0 ? true : nil } != nil)
        made.dispose()
        stream.withLock { $0 = nil }
        #expect(times.withLock { $0 } == (0..<count).map { .milliseconds($0) })
    }

    /// While another source fails to start, the stream is closed, and the old one waits.
    @Test func aFailedSwitchLosesNothing() throws {
        let count = 200
        let source = PacedSource(name: "paced") { ListReader((0..<count).map { .microseconds($0 * 200) }) }
        let (times, end) = (Monitor<[Duration?]>([]), Monitor(false))
        let sink = FrameHandler(onCondition: { condition in
            if condition == .ended { end.change { $0 = true } }
        }) { frame in times.change { $0.append(frame.presentationTime) } }
        let stream = VideoStream(source: source, sinks: [sink])
        try stream.initialize()
        try stream.start()
        for round in 1...20 {
            try #require(times.wait(until: Self.deadline) { $0.count >= round * 5 ? round : nil } != nil)
            #expect(throws: StreamError.self) {
                try stream.setSource(RecordingSource(Journal(), Failures(["source start"])))
            }
        }
        try #require(end.wait(until: Self.deadline) { $0 ? true : nil } != nil)
        stream.dispose()
        #expect(times.withLock { $0 } == (0..<count).map { .microseconds($0 * 200) })
    }

    /// The source outlives its stream, or its place in it, and keeps none of the sinks.
    @Test(arguments: ["dispose", "remove", "another source"]) func sinksAreNotRetained(_ way: String) throws {
        let source = PushSource(name: "push")
        weak var forgotten: FrameMailbox?
        var stream: VideoStream? = VideoStream(source: source, sinks: [])
        do {
            let mailbox = FrameMailbox()
            forgotten = mailbox
            try stream?.add(mailbox)
            try stream?.initialize()
            try stream?.start()
            #expect(source.push(try Self.frame(0)) == .delivered)
            switch way {
            case "dispose": stream = nil
            case "remove": stream?.remove(mailbox)
            default:
                try stream?.setSource(PushSource(name: "next"))
                stream?.remove(mailbox)
            }
        }
        #expect(forgotten == nil)
        withExtendedLifetime(source) {}
    }
}

/// A source with several sources inside, which get its consumer; they are initialized at the first start if `isLate`,
/// and stopped only by being disposed of.
private final class SourceOfSources: VideoSource {
    let name = "sources"
    let inside: [PushSource]
    private let isLate: Bool
    private let consumer = Monitor<(any VideoFrameConsumer)?>(nil)

    init(count: Int, isLate: Bool) {
        inside = (0..<count).map { PushSource(name: "\($0)") }
        self.isLate = isLate
    }

    func tell(_ condition: SourceCondition) { consumer.withLock { $0 }?.sourceDidChange(condition) }

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        self.consumer.withLock { $0 = consumer }
        if !isLate { try open(consumer) }
    }

    private func open(_ consumer: any VideoFrameConsumer) throws(StreamError) {
        for source in inside {
            try source.initialize(consumer: consumer)
            try source.start()
        }
    }

    func start() throws(StreamError) {
        // At a later start, they are there already.
        if isLate, let consumer = consumer.withLock({ $0 }) { try? open(consumer) }
    }

    func stop() {}

    func dispose() {
        consumer.withLock { $0 = nil }
        for source in inside { source.dispose() }
    }
}

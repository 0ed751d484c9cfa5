import Synchronization
import TestSupport
import Testing

@testable import MediaIO

/// Sinks come and go, sources are replaced, and sinks stop their own stream, while frames flow.
@Suite(.timeLimit(.minutes(25))) struct VideoStreamChangesTests {
    static func frame(_ second: Int = 0) throws -> VideoFrame { try VideoStreamTests.frame(at: .seconds(second)) }

    /// A sink has the state of the others as soon as it is added, and gets no calls after it is removed.
    @Test func sinksComeAndGo() throws {
        let journal = Journal()
        let (stream, source) = VideoStreamTests.stream(journal, sinks: ["a"])
        let b = RecordingSink("b", journal)
        let c = RecordingSink("c", journal)
        try stream.add(b)
        #expect(journal.entries.isEmpty)
        try stream.initialize()
        try stream.start()
        journal.clear()
        try stream.add(c)
        #expect(journal.entries == ["c initialize", "c start"])
        #expect(throws: StreamError.self) { try stream.add(c) }
        #expect(stream.sinks.count == 3)
        journal.clear()
        source.deliver(try Self.frame())
        stream.remove(b)
        source.deliver(try Self.frame(1))
        #expect(
            journal.entries == [
                "a consume 0.0 seconds", "b consume 0.0 seconds", "c consume 0.0 seconds", "b stop", "b dispose",
                "a consume 1.0 seconds", "c consume 1.0 seconds",
            ])
        journal.clear()
        stream.remove(b)
        stream.dispose()
        #expect(
            journal.entries == ["source stop", "c stop", "a stop", "source dispose", "c dispose", "a dispose"])
    }

    @Test(arguments: ["b initialize", "b start"]) func sinkThatFailsIsNotAdded(_ step: String) throws {
        let journal = Journal()
        let (stream, source) = VideoStreamTests.stream(journal, sinks: ["a"])
        try stream.initialize()
        try stream.start()
        let b = RecordingSink("b", journal, Failures([step]))
        #expect(throws: StreamError.self) { try stream.add(b) }
        journal.clear()
        source.deliver(try Self.frame())
        #expect(journal.entries == ["a consume 0.0 seconds"])
        try stream.add(b)
        stream.dispose()
    }

    /// The new source is opened first, and of the old one nothing comes any more.
    @Test func sourceIsReplaced() throws {
        let journal = Journal()
        let (stream, old) = VideoStreamTests.stream(journal, sinks: ["a"])
        try stream.initialize()
        try stream.start()
        journal.clear()
        let new = RecordingSource(Journal())
        try stream.setSource(new)
        #expect(journal.entries == ["source stop", "source dispose"])
        #expect(!old.holdsConsumer)
        #expect(stream.source === new)
        journal.clear()
        new.deliver(try Self.frame(1))
        #expect(journal.entries == ["a consume 1.0 seconds"])
        stream.dispose()
        #expect(!new.holdsConsumer)
    }

    @Test(arguments: ["source initialize", "source start"]) func oldSourceStaysWhenTheNewOneFails(_ step: String) throws
    {
        let journal = Journal()
        let (stream, old) = VideoStreamTests.stream(journal, sinks: ["a"])
        try stream.initialize()
        try stream.start()
        journal.clear()
        let new = RecordingSource(Journal(), Failures([step]))
        #expect(throws: StreamError.self) { try stream.setSource(new) }
        #expect(journal.entries.isEmpty)
        #expect(stream.source === old)
        old.deliver(try Self.frame())
        #expect(journal.entries == ["a consume 0.0 seconds"])
        stream.dispose()
    }

    /// A source whose `stop()` waits for its own call, as an obvious one does, and a sink that stops the stream.
    @Test func sinkMayStopItsStream() throws {
        let source = PushSource(name: "push")
        let stream = Monitor<VideoStream?>(nil)
        let frames = Atomic(0)
        let meter = CallbackSink {
            frames.add(1, ordering: .relaxed)
            stream.withLock { $0 }?.stop()
        }
        let made = VideoStream(source: WaitingSource(source), sinks: [meter])
        stream.withLock { $0 = made }
        try made.initialize()
        for round in 1...20 {
            try made.start()
            for _ in 0..<3 { source.push(try Self.frame()) }
            #expect(frames.load(ordering: .relaxed) == round)
            made.stop()
            #expect(made.state == .initialized)
        }
        stream.withLock { $0 = nil }
        made.dispose()
    }

    /// Frames come without a pause from another thread while everything changes.
    @Test func changesWhileFramesFlow() throws {
        let frame = try Self.frame()
        let isDone = Atomic(false)
        let sources = Monitor<[PushSource]>([PushSource(name: "first")])
        let first = sources.withLock { $0[0] }
        let stream = VideoStream(source: first, sinks: [])
        try stream.initialize()
        try stream.start()
        let pusher = try SystemThread(for: "the test") {
            while !isDone.load(ordering: .relaxed) { for source in sources.withLock({ $0 }) { source.push(frame) } }
        }
        for round in 0..<50 {
            let sink = StrictSink()
            try stream.add(sink)
            if round % 5 == 0 {
                let next = PushSource(name: "next")
                sources.withLock { $0 = [$0[$0.count - 1], next] }
                try stream.setSource(next)
            }
            sink.awaitFrame()
            stream.remove(sink)
            #expect(sink.violations == 0)
        }
        isDone.store(true, ordering: .relaxed)
        pusher.join()
        stream.dispose()
    }
}

/// A source that breaks when it is stopped from within its consumer's call.
private final class WaitingSource: VideoSource {
    private let source: PushSource
    var name: String { source.name }

    init(_ source: PushSource) { self.source = source }

    func initialize(consumer: any VideoFrameConsumer) throws(StreamError) { try source.initialize(consumer: consumer) }
    func start() throws(StreamError) { try source.start() }
    func stop() {
        let probe = source.report(.live)
        #expect(probe != .withinDelivery, "stopped from within its own call")
        source.stop()
    }
    func dispose() { source.dispose() }
}

private final class CallbackSink: VideoSink {
    private let onFrame: @Sendable () -> Void

    init(_ onFrame: @escaping @Sendable () -> Void) { self.onFrame = onFrame }

    func consume(_ frame: VideoFrame) { onFrame() }
}

/// Counts the frames that come outside of its life.
private final class StrictSink: VideoSink {
    private let content = Monitor((isStarted: false, frames: 0, violations: 0))

    var violations: Int { content.withLock { $0.violations } }

    func consume(_ frame: VideoFrame) {
        content.change {
            $0.frames += 1
            if !$0.isStarted { $0.violations += 1 }
        }
    }

    func start() throws(StreamError) { content.withLock { $0.isStarted = true } }
    func stop() { content.withLock { $0.isStarted = false } }
    func awaitFrame() { _ = content.wait { $0.frames > 0 ? () : nil } }
}

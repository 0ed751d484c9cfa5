import Foundation
import MediaIO
import Testing

@testable import MediaEngine

/// The engine in code that is `async`.
@Suite(.timeLimit(.minutes(25))) struct AsynchronousTests {
    /// A source that is opened when the test says so.
    final class SlowSource: VideoSource {
        let name = "slow"
        let isOpening = Monitor(false)
        let mayOpen = Monitor(false)
        private let source = PushSource(name: "slow")

        func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
            isOpening.withLock { $0 = true }
            mayOpen.wait { $0 ? () : nil }
            try source.initialize(consumer: consumer)
        }
        func start() throws(StreamError) { try source.start() }
        func stop() { source.stop() }
        func dispose() { source.dispose() }
        func push(_ frame: VideoFrame) -> PushSource.PushResult { source.push(frame) }
    }

    /// More sources are being opened than tasks have threads, and what they wait for still gets a turn.
    @Test func openingBlocksNoThreadOfTasks() async throws {
        let engine = VideoEngine()
        let sources = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in SlowSource() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, source) in sources.enumerated() {
                group.addTask { try await engine.startPlayingStream(.remote("\(number)"), from: source) }
            }
            group.addTask {
                for source in sources {
                    while !source.isOpening.withLock({ $0 }) { await Task.yield() }
                }
                for source in sources { source.mayOpen.change { $0 = true } }
            }
            try await group.waitForAll()
        }
        for source in sources { #expect(source.push(try markedFrame(1)) == .delivered) }
        engine.dispose()
    }

    @MainActor @Test func whatOpensSomethingIsAlsoAsync() async throws {
        let engine = VideoEngine()
        let (camera, door) = (SlowSource(), SlowSource())
        let (preview, renderer, published) = (RecordingSink(), RecordingSink(), RecordingSink())
        try await engine.setRemoteVideoRenderer(renderer, for: "door")
        async let stream = engine.startPlayingStream("door", from: door)
        door.mayOpen.change { $0 = true }
        #expect(try await stream.id == "door")
        try await engine.setVideoSource(camera)
        try await engine.setLocalVideoRenderer(preview)
        async let shown: Void = engine.startPreview()
        camera.mayOpen.change { $0 = true }
        try await shown
        try await engine.channel().add(published, for: .publishing)
        try await engine.channel().startPublishing()
        #expect(camera.push(try markedFrame(1)) == .delivered)
        #expect(door.push(try markedFrame(2)) == .delivered)
        #expect(preview.marks == [1] && published.marks == [1] && renderer.marks == [2])
        try await engine.stream("door").setVideoRenderer(nil)
        try await engine.stream("door").add(renderer)
        try await engine.stream("door").setVideoSource(PushSource(name: "other"))
        #expect(door.push(try markedFrame(3)) == .disposed)
        let capture = try await engine.channel().enableCustomCapture(.pixelBuffer)
        #expect(camera.push(try markedFrame(4)) == .disposed)
        #expect(capture.push(try markedFrame(5)) == .delivered)
        #expect(preview.marks == [1, 5])
        engine.dispose()
    }

    @Test func errorsAreTyped() async throws {
        let engine = VideoEngine()
        do throws(StreamError) {
            try await engine.startPlayingStream("door", from: BrokenSource())
            Issue.record("It opened a broken source.")
        } catch {
            #expect(error.code == .cannotOpen)
        }
        engine.dispose()
        do throws(StreamError) {
            try await engine.startPreview()
            Issue.record("It began after dispose().")
        } catch {
            #expect(error.code == .wrongOrder)
        }
    }

    @Test func eventsAreASequence() async throws {
        let engine = VideoEngine()
        let (first, second) = (engine.events, engine.events)
        let door = PushSource(name: "door")
        try await engine.startPlayingStream("door", from: door)
        door.push(try markedFrame(1))
        door.report(.waiting("the connection is lost"))
        door.report(.live)
        engine.dispose()
        let told: [EngineEvent] = [
            .firstFrame("door"), .condition("door", .waiting("the connection is lost")), .condition("door", .live),
        ]
        for (events, expected) in [(first, told), (second, told), (engine.events, [])] {
            var found: [EngineEvent] = []
            for await event in events { found.append(event) }
            #expect(found == expected)
        }
    }

    /// A reader that is late loses the oldest events, and the engine keeps no more than the newest.
    @Test func lateReadersGetTheNewestEvents() async throws {
        let engine = VideoEngine()
        let events = engine.events
        let capture = try await engine.channel().enableCustomCapture()
        for round in 0..<1000 { capture.deviceState = round.isMultiple(of: 2) ? .muted : .open }
        capture.deviceState = .failed
        engine.dispose()
        var found: [EngineEvent] = []
        for await event in events { found.append(event) }
        #expect(found.count == 256 && found.last == .device(.local(.main), .failed))
    }

    /// Nobody reads: nothing is kept.
    @Test func aSequenceThatIsLeftIsForgotten() async throws {
        let sequences = EventSequences()
        let reading = Task { [events = sequences.make()] in
            for await _ in events { break }
        }
        #expect(sequences.count == 1)
        sequences.yield(.firstFrame("door"))
        await reading.value
        #expect(sequences.count == 0)
        do { _ = sequences.make() }
        #expect(sequences.count == 0)
    }
}

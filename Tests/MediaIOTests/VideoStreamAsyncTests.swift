import Testing

@testable import MediaIO

/// Streams in code that is `async`.
@Suite(.timeLimit(.minutes(30))) struct VideoStreamAsyncTests {
    static func frame(_ second: Int) throws -> VideoFrame { try VideoStreamTests.frame(at: .seconds(second)) }

    @Test func openingBringsFrames() async throws {
        let source = PushSource(name: "door")
        let seen = Monitor<[Duration?]>([])
        let conditions = Monitor<[SourceCondition]>([])
        let handler = FrameHandler(
            onCondition: { condition in conditions.withLock { $0.append(condition) } },
            onFrame: { frame in seen.withLock { $0.append(frame.presentationTime) } })
        let stream = VideoStream(source: source, sinks: [handler])
        try await stream.open()
        #expect(source.push(try Self.frame(1)) == .delivered)
        #expect(source.report(.waiting("the door")) == .delivered)
        // Once more is no error, and neither is opening what was stopped.
        try await stream.open()
        stream.stop()
        try await stream.open()
        #expect(source.push(try Self.frame(2)) == .delivered)
        stream.dispose()
        #expect(seen.withLock { $0 } == [.seconds(1), .seconds(2)])
        #expect(conditions.withLock { $0 } == [.waiting("the door")])
        await #expect(throws: StreamError.self) { try await stream.open() }
    }

    @Test(arguments: ["a initialize", "source initialize", "source start"]) func failuresArePassedOn(
        _ step: String
    ) async throws {
        let (stream, _) = VideoStreamTests.stream(Journal(), failing: [step])
        let error = await #expect(throws: StreamError.self) { try await stream.open() }
        #expect(error?.description == "\(step) failed")
        try await stream.open()
        #expect(stream.state == .started)
        stream.dispose()
    }

    /// A frame that was not asked for is replaced.
    @Test func framesAreTheNewest() async throws {
        let source = PushSource(name: "door")
        let stream = VideoStream(source: source, sinks: [])
        try await stream.open()
        var frames = stream.frames.makeAsyncIterator()
        for second in 1...3 { source.push(try Self.frame(second)) }
        #expect(await frames.next()?.presentationTime == .seconds(3))
        source.push(try Self.frame(4))
        source.report(.ended)
        #expect(await frames.next()?.presentationTime == .seconds(4))
        #expect(await frames.next() == nil)
        while !stream.sinks.isEmpty { await Task.yield() }
        stream.dispose()
    }

    @Test(arguments: [SourceCondition.ended, .failed("it broke")]) func theLoopEndsWithTheSource(
        _ condition: SourceCondition
    ) async throws {
        let source = PushSource(name: "door")
        let stream = VideoStream(source: source, sinks: [])
        try await stream.open()
        let frames = stream.frames
        source.report(.waiting("a moment"))
        source.push(try Self.frame(1))
        source.report(condition)
        var count = 0
        for await _ in frames { count += 1 }
        #expect(count == 1)
        stream.dispose()
    }

    @Test func theLoopEndsWithTheStream() async throws {
        let stream = VideoStream(source: PushSource(name: "door"), sinks: [])
        let frames = stream.frames
        try await stream.open()
        stream.dispose()
        for await _ in frames { Issue.record("There was a frame.") }
        for await _ in stream.frames { Issue.record("There was a frame.") }
    }

    @Test func aCancelledLoopLeavesNoSink() async throws {
        let source = PushSource(name: "door")
        let stream = VideoStream(source: source, sinks: [])
        try await stream.open()
        let task = Task { for await _ in stream.frames {} }
        while stream.sinks.isEmpty { await Task.yield() }
        task.cancel()
        await task.value
        while !stream.sinks.isEmpty { await Task.yield() }
        #expect(source.push(try Self.frame(1)) == .delivered)
        stream.dispose()
    }

    /// A sequence that nobody reads does not keep its stream.
    @Test func sequencesDoNotRetainTheStream() async throws {
        weak var forgotten: VideoStream?
        let journal = Journal()
        let frames: AsyncStream<VideoFrame>
        do {
            let (stream, _) = VideoStreamTests.stream(journal, sinks: [])
            forgotten = stream
            frames = stream.frames
            try stream.initialize()
        }
        #expect(forgotten == nil)
        for await _ in frames { Issue.record("There was a frame.") }
        #expect(journal.entries == ["source initialize", "source dispose"])
    }
}

import MediaIO
import TestSupport
import Testing

/// A source and its sinks go through their life together.
struct VideoStreamTests {
    static func stream(
        _ journal: Journal, failing steps: Set<String> = [], sinks: [String] = ["a", "b"]
    ) -> (VideoStream, RecordingSource) {
        let failures = Failures(steps)
        let source = RecordingSource(journal, failures)
        return (VideoStream(source: source, sinks: sinks.map { RecordingSink($0, journal, failures) }), source)
    }

    static func frame(at time: Duration) throws -> VideoFrame {
        let bytes = [UInt8](repeating: 0, count: 6)
        return VideoFrame(
            try PixelBuffer(packed: bytes, format: .i420, size: VideoSize(width: 2, height: 2)), presentationTime: time)
    }

    @Test func aSinkMayBeThereOnce() throws {
        let journal = Journal()
        let sink = RecordingSink("a", journal)
        let twice = VideoStream(source: RecordingSource(journal), sinks: [sink, sink])
        let error = try #require(throws: StreamError.self) { try twice.initialize() }
        #expect(journal.entries.isEmpty && twice.state == .created)
        let stream = VideoStream(source: RecordingSource(journal), sinks: [sink])
        #expect(throws: error) { try stream.add(sink) }
    }

    @Test func orderOfCalls() throws {
        let journal = Journal()
        let (stream, source) = Self.stream(journal)
        try stream.initialize()
        #expect(journal.entries == ["a initialize", "b initialize", "source initialize"])
        journal.clear()
        try stream.start()
        #expect(journal.entries == ["a start", "b start", "source start"])
        journal.clear()
        source.deliver(try Self.frame(at: .seconds(1)))
        source.tell(.ended)
        #expect(journal.entries == ["a consume 1.0 seconds", "b consume 1.0 seconds", "a ended", "b ended"])
        journal.clear()
        stream.stop()
        #expect(journal.entries == ["source stop", "b stop", "a stop"])
        journal.clear()
        try stream.start()
        #expect(journal.entries == ["a start", "b start", "source start"])
        journal.clear()
        stream.dispose()
        #expect(journal.entries == ["source stop", "b stop", "a stop", "source dispose", "b dispose", "a dispose"])
        #expect(stream.state == .disposed)
        #expect(!source.holdsConsumer)
        journal.clear()
        stream.dispose()
        stream.stop()
        #expect(journal.entries.isEmpty)
    }

    @Test(arguments: [
        ("a initialize", ["a initialize"]),
        ("b initialize", ["a initialize", "b initialize"]),
        (
            "source initialize",
            [
                "a initialize", "b initialize", "source initialize",
                #"a failed("source initialize failed", code: Optional(cannotOpen))"#,
                #"b failed("source initialize failed", code: Optional(cannotOpen))"#,
            ]
        ),
    ]) func failureToInitializeIsTriedAgainFromThere(_ step: String, _ entries: [String]) throws {
        let journal = Journal()
        let (stream, _) = Self.stream(journal, failing: [step])
        let error = #expect(throws: StreamError.self) { try stream.initialize() }
        #expect(error?.description == "\(step) failed")
        #expect(journal.entries == entries)
        #expect(stream.state == .created)
        try stream.initialize()
        #expect(stream.state == .initialized)
        // Only the one that failed is initialized twice.
        let all = ["a initialize", "b initialize", "source initialize"]
        let failed = all.firstIndex(of: step) ?? 0
        #expect(journal.entries == entries + Array(all[failed...]))
        stream.dispose()
        #expect(journal.entries.suffix(3) == ["source dispose", "b dispose", "a dispose"])
    }

    @Test(arguments: [
        ("a start", ["a start"]),
        ("b start", ["a start", "b start", "a stop"]),
        ("source start", ["a start", "b start", "source start", "b stop", "a stop"]),
    ]) func failureToStartUnwinds(_ step: String, _ entries: [String]) throws {
        let journal = Journal()
        let (stream, _) = Self.stream(journal, failing: [step])
        try stream.initialize()
        journal.clear()
        let error = #expect(throws: StreamError.self) { try stream.start() }
        #expect(error?.description == "\(step) failed")
        #expect(journal.entries == entries)
        #expect(stream.state == .initialized)
        try stream.start()
        #expect(stream.state == .started)
    }

    @Test func wrongOrderTouchesNobody() throws {
        let journal = Journal()
        let (stream, _) = Self.stream(journal)
        #expect(throws: StreamError.self) { try stream.start() }
        try stream.initialize()
        journal.clear()
        let error = #expect(throws: StreamError.self) { try stream.initialize() }
        #expect(error?.code == .wrongOrder)
        #expect(error?.description.contains("source") == true)
        stream.stop()
        #expect(journal.entries.isEmpty)
        stream.dispose()
        journal.clear()
        #expect(throws: StreamError.self) { try stream.initialize() }
        #expect(throws: StreamError.self) { try stream.start() }
        #expect(journal.entries.isEmpty)
    }

    @Test(arguments: [[], ["a"], ["a", "b", "c"]]) func anyNumberOfSinks(_ sinks: [String]) throws {
        let journal = Journal()
        let (stream, source) = Self.stream(journal, sinks: sinks)
        try stream.initialize()
        try stream.start()
        journal.clear()
        source.deliver(try Self.frame(at: .zero))
        #expect(journal.entries == sinks.map { "\($0) consume 0.0 seconds" })
        stream.dispose()
    }

    @Test func lettingGoOfAStreamEndsIt() throws {
        let journal = Journal()
        do {
            let (stream, _) = Self.stream(journal, sinks: ["a"])
            try stream.initialize()
            try stream.start()
            journal.clear()
        }
        #expect(journal.entries == ["source stop", "a stop", "source dispose", "a dispose"])
    }

    /// Legal or not, in any order and with failures: the stream's state is the lifecycle's.
    @Test func randomSteps() throws {
        var random = SeededGenerator(seed: 8)
        let names = ["a initialize", "b initialize", "source initialize", "a start", "b start", "source start"]
        for _ in 0..<300 {
            let failing = Set(names.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
            let (stream, _) = Self.stream(Journal(), failing: failing)
            var model = StreamLifecycle()
            for _ in 0..<12 {
                guard let step = StreamLifecycle.Step.allCases.randomElement(using: &random) else { return }
                do throws(StreamError) {
                    switch step {
                    case .initialize: try stream.initialize()
                    case .start: try stream.start()
                    case .stop: stream.stop()
                    case .dispose:
                        stream.dispose()
                        // A stream stops before it disposes.
                        try model.take(.stop, of: "it") {}
                    }
                    try model.take(step, of: "it") {}
                } catch {
                    // Either the step was not legal, or a part failed; both leave the state.
                    #expect(error.code == .cannotOpen || model.transition(step) == .illegal)
                }
                #expect(stream.state == model.state)
            }
        }
    }
}

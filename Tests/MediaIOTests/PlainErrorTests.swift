import Testing

@testable import MediaIO

/// Closures may throw any error; it becomes a `StreamError`.
struct PlainErrorTests {
    struct Broken: Error, CustomStringConvertible {
        let description = "The lens cap is on."
    }

    static let size = VideoSize(width: 2, height: 2)

    static func check() throws { throw Broken() }

    @Test func buffersPassOnAnyError() {
        let expected = StreamError(.readFailed, "The lens cap is on.")
        #expect(throws: expected) { try PixelBuffer(format: .i420, size: Self.size) { _ in try Self.check() } }
        let pool = PixelBufferPool()
        for _ in 0..<2 {
            #expect(throws: expected) { try pool.makeBuffer(format: .i420, size: Self.size) { _ in try Self.check() } }
            // The second time, the pool has a buffer to reuse.
            _ = try? pool.makeBuffer(format: .i420, size: Self.size) { _ in }
        }
    }

    @Test func sourcesPassOnAnyError() {
        let source = PacedSource(name: "own") {
            try Self.check()
            return ListReader([.zero])
        }
        #expect(throws: StreamError(.cannotOpen, "The lens cap is on.")) {
            try source.initialize(consumer: WaitingConsumer())
        }
    }

    @Test func aStreamErrorPassesUnchanged() {
        let failure = StreamError(.malformed, "It is a song.", underlying: 7)
        let source = PacedSource(name: "own") { throw failure }
        #expect(throws: failure) { try source.initialize(consumer: WaitingConsumer()) }
    }

    @Test func liveSourcesReportAnyError() throws {
        let consumer = WaitingConsumer()
        let source = LiveSource(name: "own") {
            try Self.check()
            return ListReader([.zero])
        }
        try source.initialize(consumer: consumer)
        try source.start()
        consumer.awaitConditions(1)
        source.dispose()
        let expected = SourceCondition.waiting("Not connected: The lens cap is on.", code: .cannotOpen)
        #expect(consumer.conditions.allSatisfy { $0.withoutRetry == expected })
    }

    @Test func valuesAreCheckedWhenTheyAreSet() async {
        await #expect(processExitsWith: .failure) {
            var schedule = RetrySchedule()
            schedule.waits = []
        }
        await #expect(processExitsWith: .failure) {
            var wants = VideoSinkWants.everything
            wants.maximumPixels = 0
        }
    }
}

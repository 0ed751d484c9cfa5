import Testing

@testable import MediaIO

/// Network streams that turn out to be stored media.
@Suite(.timeLimit(.minutes(25))) struct StoredNetworkMediaTests {
    /// After a failed try, stored media report that they play.
    @Test func storedMediaReportThatTheyPlay() throws {
        let consumer = WaitingConsumer()
        let (hasFailed, hasStarted) = (Monitor(false), Monitor(false))
        let source = LiveSourceTests.source(LiveSourceTests.Waits()) { (_) throws(StreamError) in
            if hasFailed.change({ failed in
                defer { failed = true }
                return failed
            }) {
                return ListReader([.zero])
            }
            _ = hasStarted.wait { $0 ? () : nil }
            throw StreamError(.cannotOpen, "No server listens at door: check the address.")
        }
        try source.initialize(consumer: consumer)
        try source.start()
        hasStarted.change { $0 = true }
        consumer.awaitConditions(3)
        source.dispose()
        #expect(consumer.conditions.map(\.withoutRetry) == [LiveSourceTests.notConnected, .live, .ended])
    }
}

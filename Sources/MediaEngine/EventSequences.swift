internal import MediaIO

/// The sequences of an engine's events.
final class EventSequences: Sendable {
    /// The number of unread events that a sequence keeps; older ones are dropped.
    static let bufferedEvents = 256

    private struct State {
        /// `nil` once there are no more events.
        var readers: [Int: AsyncStream<EngineEvent>.Continuation]? = [:]
        var made = 0
    }

    private let state = Monitor(State())

    /// The sequences that somebody may still read.
    var count: Int { state.withLock { $0.readers?.count ?? 0 } }

    /// A sequence of the events from now on.
    func make() -> AsyncStream<EngineEvent> {
        let (events, continuation) = AsyncStream.makeStream(
            of: EngineEvent.self, bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
        let number = state.withLock { state -> Int? in
            state.made += 1
            guard state.readers != nil else { return nil }
            state.readers?[state.made] = continuation
            return state.made
        }
        guard let number else {
            continuation.finish()
            return events
        }
        continuation.onTermination = { [state] _ in
            let old = state.withLock { $0.readers?.removeValue(forKey: number) }
            // Released without the lock.
            _ = old
        }
        return events
    }

    /// Hands an event to all of them.
    func yield(_ event: EngineEvent) {
        for reader in state.withLock({ $0.readers })?.values.map(\.self) ?? [] { reader.yield(event) }
    }

    /// Ends all of them.
    func finish() {
        let last = state.withLock { state in
            defer { state.readers = nil }
            return state.readers
        }
        for reader in last?.values.map(\.self) ?? [] { reader.finish() }
    }
}

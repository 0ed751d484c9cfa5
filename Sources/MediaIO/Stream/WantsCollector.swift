/// Combines what the sinks of a stream want, and passes every change on to the source.
///
/// **Thread:** any, even during a long step of the stream. **Cost:** rare.
final class WantsCollector: Sendable {
    private struct State {
        /// One for each sink; `nil` for one that takes all frames.
        var demands: [SinkDemand?] = []
        var source: (any VideoSource)?
        /// The wants last passed to the source; `nil` if unknown.
        var told: VideoSinkWants? = .everything
        var isTelling = false

        var wants: VideoSinkWants {
            demands.reduce(.nothing) { $0.combined(with: $1?.wants ?? .everything) }
        }
    }

    private let state = Monitor(State())

    /// Replaces the sinks.
    func setSinks(_ sinks: [any VideoSink]) {
        let new = sinks.map(\.demand)
        let old = state.withLock { state in
            defer { state.demands = new }
            return state.demands
        }
        for demand in old { demand?.remove(self) }
        for demand in new { demand?.add(self) }
        refresh()
    }

    /// Passes the wants on to this source from now on.
    ///
    /// - Parameters:
    ///   - source: the source; `nil` for none.
    ///   - known: the wants that it has so far; `nil` if unknown.
    func setSource(_ source: (any VideoSource)?, knowing known: VideoSinkWants? = .everything) {
        let old = state.withLock { state in
            defer { (state.source, state.told) = (source, known) }
            return state.source
        }
        _ = old
        refresh()
    }

    /// Passes the wants on to the source, if they have changed.
    func refresh() {
        // One thread at a time calls the source, without the lock. Other threads leave it to that one.
        let isMine = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isMine else { return }
        while let news = state.withLock({ Self.takeNews(&$0) }) { news.source?.adapt(to: news.wants) }
    }

    private static func takeNews(_ state: inout State) -> (source: (any VideoSource)?, wants: VideoSinkWants)? {
        let wants = state.wants
        guard state.source != nil, wants != state.told else {
            state.isTelling = false
            return nil
        }
        state.told = wants
        return (state.source, wants)
    }
}

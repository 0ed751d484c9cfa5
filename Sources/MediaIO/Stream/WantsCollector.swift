/// Combines what the sinks of a stream want, and hands it to the source whenever it changes.
///
/// **Thread:** any, also while a step of the stream takes long. **Cost:** rare.
final class WantsCollector: Sendable {
    private struct State {
        /// One for each sink; `nil` for one that takes what there is.
        var demands: [SinkDemand?] = []
        var source: (any VideoSource)?
        /// What the source was told last.
        var told: VideoSinkWants? = .everything
        var isTelling = false

        var wants: VideoSinkWants {
            demands.reduce(.nothing) { $0.combined(with: $1?.wants ?? .everything) }
        }
    }

    private let state = Monitor(State())

    /// Listens to these sinks instead of those before.
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

    /// Tells this source from now on.
    ///
    /// - Parameters:
    ///   - source: `nil` for none.
    ///   - known: what it goes by so far; `nil` where that is not known.
    func setSource(_ source: (any VideoSource)?, knowing known: VideoSinkWants? = .everything) {
        let old = state.withLock { state in
            defer { (state.source, state.told) = (source, known) }
            return state.source
        }
        _ = old
        refresh()
    }

    /// Tells the source if it does not know what is wanted now.
    func refresh() {
        // The source is told by one thread at a time and without the lock. Others leave it to that one.
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

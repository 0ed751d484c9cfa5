/// Where a sink says what it wants, and whoever is concerned hears of it.
///
///     final class Thumbnail: VideoSink {
///         let demand: SinkDemand? = SinkDemand(VideoSinkWants(maximumPixels: 160 * 90))
///         …
///     }
///
/// **Thread:** any. **Cost:** rare; setting what was there before is one short lock.
public final class SinkDemand: Sendable {
    /// One of several who look at what the sink has; what it wants counts for as long as it exists.
    public final class Claim: Sendable {
        private let demand: SinkDemand

        fileprivate init(_ demand: SinkDemand) { self.demand = demand }

        deinit { demand.set(nil, for: ObjectIdentifier(self)) }

        /// Wants this from now on, in the place of what it wanted before.
        public func want(_ wants: VideoSinkWants) { demand.set(wants, for: ObjectIdentifier(self)) }
    }

    private struct Listener {
        weak var collector: WantsCollector?
    }
    private struct State {
        var own: VideoSinkWants
        var claims: [ObjectIdentifier: VideoSinkWants] = [:]
        var listeners: [ObjectIdentifier: Listener] = [:]

        var wants: VideoSinkWants {
            guard let first = claims.values.first else { return own }
            return claims.values.dropFirst().reduce(first) { $0.combined(with: $1) }
        }
    }

    private let state: Monitor<State>

    /// Creates a demand.
    ///
    /// - Parameter wants: what counts while nobody has a claim.
    public init(_ wants: VideoSinkWants = .everything) { state = Monitor(State(own: wants)) }

    /// What all claims want together; what was set here where there is none.
    ///
    /// Setting it hands it to the sources before it returns, or leaves that to a thread that is just doing so.
    public var wants: VideoSinkWants {
        get { state.withLock { $0.wants } }
        set { change { $0.own = newValue } }
    }

    /// A claim that wants nothing in particular until it says so.
    public func makeClaim() -> Claim { Claim(self) }

    private func set(_ wants: VideoSinkWants?, for claim: ObjectIdentifier) { change { $0.claims[claim] = wants } }

    private func change(_ body: (inout State) -> Void) {
        let listeners = state.withLock { state -> [Listener] in
            let old = state.wants
            body(&state)
            return state.wants == old ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener.collector?.refresh() }
    }

    func add(_ collector: WantsCollector) {
        state.withLock { $0.listeners[ObjectIdentifier(collector)] = Listener(collector: collector) }
    }

    func remove(_ collector: WantsCollector) {
        state.withLock { $0.listeners[ObjectIdentifier(collector)] = nil }
    }
}

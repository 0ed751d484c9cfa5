/// What a sink wants; a change is passed on to the sources of its streams.
///
///     final class Thumbnail: VideoSink {
///         let demand: SinkDemand? = SinkDemand(VideoSinkWants(maximumPixels: 160 * 90))
///         …
///     }
///
/// **Thread:** any. **Cost:** rare; setting the same value again takes one short lock.
public final class SinkDemand: Sendable {
    /// The wants of one of several users of the sink; they count for as long as the claim exists.
    public final class Claim: Sendable {
        private let demand: SinkDemand

        fileprivate init(_ demand: SinkDemand) { self.demand = demand }

        deinit { demand.set(nil, for: ObjectIdentifier(self)) }

        /// Replaces the wants of this claim.
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
    /// - Parameter wants: the wants that count while there are no claims.
    public init(_ wants: VideoSinkWants = .everything) { state = Monitor(State(own: wants)) }

    /// The combined wants of all claims; without claims, the value that was set here.
    ///
    /// The setter passes a change on to the sources before it returns, or leaves that to a thread that is already doing
    /// so.
    public var wants: VideoSinkWants {
        get { state.withLock { $0.wants } }
        set { change { $0.own = newValue } }
    }

    /// Makes a claim, which has no effect until its first ``Claim/want(_:)``.
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

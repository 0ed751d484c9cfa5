import Synchronization

/// Passes what one source delivers to the sinks of its stream, while the stream is started.
///
/// Each source of a stream has its own relay, so that a late frame of a replaced source reaches no sink. A source with a
/// ``SourceLife`` shares its gate with the relay, and calls the sinks itself. For any other source, which may break its
/// promises, the relay has a gate of its own.
///
/// **Thread:** any. **Cost:** every frame; one short lock, no allocation.
final class SinkRelay: VideoFrameConsumer {
    private struct State {
        var sinks: [any VideoSink]
        /// Whether it is decided which gate is used: two would let two calls through at the same time.
        var isSettled = false
    }

    private let state: Monitor<State>
    private let own = SourceGate()
    private let shared = AtomicLazyReference<SourceGate>()

    init(_ sinks: [any VideoSink]) {
        state = Monitor(State(sinks: sinks))
        own.close(.stream)
        own.setSinks(SinkList(sinks))
    }

    private var gate: SourceGate { shared.load() ?? own }

    /// Uses the gate of the source from now on, unless another one is in use.
    ///
    /// A source that has several of ours inside may give its consumer to each: only the first one shares its gate, and
    /// only before the stream is started.
    func share(_ gate: SourceGate) {
        state.withLock { state in
            guard !state.isSettled else { return }
            state.isSettled = true
            gate.close(.stream)
            gate.setSinks(own.setSinks(nil))
            _ = shared.storeIfNil(gate)
        }
    }

    // MARK: The source's calls, unless it shares its gate

    func consume(_ frame: VideoFrame) { _ = pass(frame) }

    /// Passes a frame on, and returns whether it was.
    func pass(_ frame: VideoFrame) -> GatePassage { gate.pass(by: .stream) { $0.consumer?.consume(frame) } }

    func sourceDidOmit(_ count: Int) { _ = gate.pass(by: .stream) { $0.consumer?.sourceDidOmit(count) } }

    func sourceDidChange(_ condition: SourceCondition) { _ = pass(condition) }

    /// Passes a condition on, and returns whether it was.
    func pass(_ condition: SourceCondition) -> GatePassage {
        gate.pass(by: .stream) { $0.consumer?.sourceDidChange(condition) }
    }

    // MARK: The stream's steps

    /// Whether calls may pass, as far as the stream decides.
    var isOpen: Bool { gate.isStreamOpen }

    /// Whether the current thread is inside a call to the sinks.
    var isCallerCurrent: Bool { gate.isCallerCurrent }

    /// Lets calls pass, unless it has ended.
    func open() {
        state.withLock { state in
            state.isSettled = true
            gate.open(.stream)
        }
    }

    /// Lets no further call pass; a running one continues.
    func close() { gate.close(.stream) }

    /// Lets no call pass ever again, and forgets the sinks.
    func end() {
        gate.end(.stream)
        setSinks([])
    }

    /// Waits until the running call has returned; returns immediately from within that call.
    func awaitCaller() { gate.awaitCaller() }

    /// Replaces the sinks, from the next frame on.
    func setSinks(_ sinks: [any VideoSink]) { changeSinks { $0 = sinks } }

    /// Removes one of the sinks, from the next frame on.
    func remove(_ sink: any VideoSink) { changeSinks { $0.removeAll { $0 === sink } } }

    private func changeSinks(_ change: (inout [any VideoSink]) -> Void) {
        // The old ones are released outside the locks.
        let old = state.withLock { state in
            let old = state.sinks
            change(&state.sinks)
            return (old, gate.setSinks(SinkList(state.sinks)))
        }
        _ = old
    }
}

/// The sinks of a stream, as one consumer.
final class SinkList: VideoFrameConsumer {
    private let sinks: [any VideoSink]

    init(_ sinks: [any VideoSink]) { self.sinks = sinks }

    // By index: without optimisation, an array's iterator allocates.
    func consume(_ frame: VideoFrame) { for index in sinks.indices { sinks[index].consume(frame) } }

    func sourceDidOmit(_ count: Int) { for index in sinks.indices { sinks[index].sourceDidOmit(count) } }

    func sourceDidChange(_ condition: SourceCondition) { for sink in sinks { sink.sourceDidChange(condition) } }
}

import Synchronization

/// Passes what one source delivers to the sinks of its stream, while the stream is started.
///
/// Each source of a stream has its own relay, so that a late frame of a replaced source reaches no sink. A source with a
/// ``SourceLife`` shares its gate with the relay, and calls the sinks itself. For any other source, which may break its
/// promises, the relay has a gate of its own. Sinks that ask for packets get those of a ``PacketSource`` through a
/// ``PacketRelay``, and none of its pictures.
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
    /// `nil` for a source that has no packets.
    private let packets: PacketRelay?
    private let onCondition: @Sendable (SourceCondition) -> Void

    /// Makes a relay, closed.
    ///
    /// - Parameters:
    ///   - source: the source that it belongs to.
    ///   - sinks: the sinks of the stream.
    ///   - onCondition: gets the conditions, after the sinks.
    init(
        of source: any VideoSource, to sinks: [any VideoSink],
        onCondition: @escaping @Sendable (SourceCondition) -> Void
    ) {
        packets = (source as? any PacketSource).map { PacketRelay($0.packets) }
        self.onCondition = onCondition
        state = Monitor(State(sinks: sinks))
        own.close(.stream)
        own.setSinks(list(sinks))
    }

    /// The sinks that get the source's frames.
    private func list(_ sinks: [any VideoSink]) -> SinkList {
        SinkList(packets == nil ? sinks : sinks.filter { !Self.wantsPackets($0) }, onCondition)
    }

    private static func wantsPackets(_ sink: any VideoSink) -> Bool { sink.bufferKind == .encoded }

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
    var isCallerCurrent: Bool { gate.isCallerCurrent || packets?.isCallerCurrent == true }

    /// Lets calls pass, unless it has ended.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if no thread can be started for a sink of packets.
    func open() throws(StreamError) {
        let sinks = state.withLock { $0.sinks }
        try packets?.open(sinks.filter(Self.wantsPackets))
        state.withLock { state in
            state.isSettled = true
            gate.open(.stream)
        }
    }

    /// Lets no further call pass; a running one continues.
    func close() {
        gate.close(.stream)
        packets?.close()
    }

    /// Lets no call pass ever again, and forgets the sinks.
    func end() {
        gate.end(.stream)
        packets?.close()
        packets?.detach()
        changeSinks { $0 = [] }
    }

    /// Waits until the running calls have returned, unless it is called from within one of them.
    func awaitCaller() {
        gate.awaitCaller()
        packets?.detach()
    }

    /// Replaces the sinks, from the next frame on.
    ///
    /// - Throws: what ``open()`` throws, with the sinks unchanged.
    func setSinks(_ sinks: [any VideoSink]) throws(StreamError) {
        try packets?.setSinks(sinks.filter(Self.wantsPackets))
        changeSinks { $0 = sinks }
    }

    /// Removes one of the sinks, from the next frame on.
    func remove(_ sink: any VideoSink) {
        packets?.close(sink)
        changeSinks { $0.removeAll { $0 === sink } }
    }

    private func changeSinks(_ change: (inout [any VideoSink]) -> Void) {
        // The old ones are released outside the locks.
        let old = state.withLock { state in
            let old = state.sinks
            change(&state.sinks)
            return (old, gate.setSinks(list(state.sinks)))
        }
        _ = old
    }
}

/// The sinks of a stream, as one consumer.
final class SinkList: VideoFrameConsumer {
    private let sinks: [any VideoSink]
    private let onCondition: @Sendable (SourceCondition) -> Void

    init(_ sinks: [any VideoSink], _ onCondition: @escaping @Sendable (SourceCondition) -> Void) {
        (self.sinks, self.onCondition) = (sinks, onCondition)
    }

    // By index: without optimisation, an array's iterator allocates.
    func consume(_ frame: VideoFrame) { for index in sinks.indices { sinks[index].consume(frame) } }

    func sourceDidOmit(_ count: Int) { for index in sinks.indices { sinks[index].sourceDidOmit(count) } }

    func sourceDidChange(_ condition: SourceCondition) {
        for sink in sinks { sink.sourceDidChange(condition) }
        onCondition(condition)
    }
}

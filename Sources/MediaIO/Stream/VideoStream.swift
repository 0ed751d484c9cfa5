/// A source and the sinks of its frames, with a common life cycle.
///
/// The sinks are initialized before the source and disposed of after it, so a sink never gets a frame outside its own
/// life cycle. Sinks may be added and removed and the source may be replaced while frames flow. The sinks' wants
/// (``VideoSink/demand``) are combined, the most demanding wins, and passed to ``VideoSource/adapt(to:)``.
///
/// Sinks that ask for packets (``VideoSink/bufferKind``) get those of a ``PacketSource`` from the next key frame on, each
/// on a thread of its own, and no pictures; a sink that is too slow is told how many it has lost.
///
/// **Thread:** any; two calls wait for each other. From within a sink's own call, ``stop()``, ``remove(_:)`` and
/// ``dispose()`` take effect for the next frame and are completed on another thread; the other calls throw there.
public final class VideoStream: Sendable {
    /// A copy of the state that can be read without waiting for a step.
    struct Appearance {
        var state = StreamLifecycle.State.created
        var source: any VideoSource
        var sinks: [any VideoSink]
        var relay: SinkRelay
    }

    struct Life {
        var lifecycle = StreamLifecycle()
        var source: any VideoSource
        var sinks: [any VideoSink]
        var relay: SinkRelay
        /// The number of initialized sinks, from the first on.
        var readySinks = 0
    }

    private let life: Monitor<Life>
    /// Passes what the sinks want to the source.
    let wants = WantsCollector()
    let appearance: Monitor<Appearance>
    let onCondition: @Sendable (SourceCondition) -> Void

    /// Connects a source to its sinks, each of which may be there once.
    ///
    /// Nothing runs yet.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - sinks: the sinks, in the order in which they get each frame.
    ///   - onCondition: gets the source's conditions, after the sinks; on the source's thread.
    public init(
        source: any VideoSource, sinks: [any VideoSink],
        onCondition: @escaping @Sendable (SourceCondition) -> Void = { _ in }
    ) {
        self.onCondition = onCondition
        let relay = SinkRelay(of: source, to: sinks, onCondition: onCondition)
        life = Monitor(Life(source: source, sinks: sinks, relay: relay))
        appearance = Monitor(Appearance(source: source, sinks: sinks, relay: relay))
        wants.setSinks(sinks)
    }

    deinit {
        // A stream that is released while it runs must not leave a thread behind.
        disposeNow()
    }

    /// The source.
    public var source: any VideoSource { appearance.withLock { $0.source } }

    /// The sinks, in the order in which they get each frame.
    public var sinks: [any VideoSink] { appearance.withLock { $0.sinks } }

    /// The state after the last completed step; it never waits for a running one.
    public var state: StreamLifecycle.State { appearance.withLock { $0.state } }

    /// Initializes the sinks, then the source.
    ///
    /// Sinks that are initialized when a later one fails stay so: the next try continues there, and ``dispose()``
    /// disposes of them. If the source fails, the sinks get ``SourceCondition/failed(_:code:)``.
    ///
    /// - Throws: the first failure, with the state unchanged; ``StreamError/Code/wrongOrder``, including for a sink
    ///   that the stream has twice.
    public func initialize() throws(StreamError) {
        try take(.initialize) { (life) throws(StreamError) in
            guard Set(life.sinks.map(ObjectIdentifier.init)).count == life.sinks.count else {
                throw Self.refusal(life.source)
            }
            for sink in life.sinks[life.readySinks...] {
                try sink.initialize()
                life.readySinks += 1
            }
            do throws(StreamError) {
                try life.source.initialize(consumer: life.relay)
            } catch {
                for sink in life.sinks { sink.sourceDidChange(.failed(error.description, code: error.code)) }
                onCondition(.failed(error.description, code: error.code))
                throw error
            }
            wants.setSource(life.source)
        }
    }

    /// Starts the sinks, then the source.
    ///
    /// After a failure, everything started before is stopped again.
    ///
    /// - Throws: the first failure, with the state unchanged, or ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) {
        try take(.start) { (life) throws(StreamError) in
            var running = 0
            do throws(StreamError) {
                for sink in life.sinks {
                    try sink.start()
                    running += 1
                }
                try life.relay.open()
                try life.source.start()
            } catch {
                life.relay.close()
                life.relay.awaitCaller()
                for sink in life.sinks[..<running].reversed() { sink.stop() }
                throw error
            }
        }
    }

    /// Stops the source, then the sinks.
    ///
    /// When it returns, no frame is on its way, except in the call from within which it was called. Sinks of two
    /// streams must not stop each other's stream at the same time, or both wait for ever. Does nothing if not started.
    public func stop() {
        // Only this stop: the stream may be stopped and started again before it completes.
        if finishElsewhere({ stream in stream.life.withLock { stream.settle(&$0) } }) { return }
        // Stopping is never illegal and its work does not throw, so there is no error to pass on.
        life.withLock { life in try? step(.stop, &life, Self.halt) }
    }

    /// Stops if necessary, then disposes of the source and the sinks.
    ///
    /// Does nothing if done before.
    public func dispose() {
        if finishElsewhere({ $0.dispose() }) { return }
        disposeNow()
    }

    private func disposeNow() {
        life.withLock { life in
            try? step(.stop, &life, Self.halt)
            try? step(.dispose, &life) { life in
                wants.setSource(nil)
                wants.setSinks([])
                life.source.dispose()
                life.relay.end()
                for sink in life.sinks.reversed() { sink.dispose() }
            }
        }
    }

    private static func halt(_ life: inout Life) {
        life.relay.close()
        life.source.stop()
        life.relay.awaitCaller()
        for sink in life.sinks.reversed() { sink.stop() }
    }

    /// From within a sink: closes the relay and completes the step on another thread, because stopping a source waits
    /// for this very call.
    private func finishElsewhere(_ work: @escaping @Sendable (VideoStream) -> Void) -> Bool {
        let relay = appearance.withLock { $0.relay }
        guard relay.isCallerCurrent else { return false }
        relay.close()
        appearance.withLock { if $0.state == .started { $0.state = .initialized } }
        finish(work)
        return true
    }

    func finish(_ work: @escaping @Sendable (VideoStream) -> Void) {
        // If no thread can be started, the next step on another thread completes it.
        try? SystemThread(for: source.name) { [self] in work(self) }.detach()
    }

    /// Whether this is called from within a call to one of the sinks.
    package var isCallingSink: Bool { callingRelay != nil }

    /// The relay, if this is called from within a sink.
    var callingRelay: SinkRelay? {
        let relay = appearance.withLock { $0.relay }
        return relay.isCallerCurrent ? relay : nil
    }

    /// Changes the source or the sinks between two steps.
    ///
    /// - Throws: what `work` throws, or ``StreamError/Code/wrongOrder`` from within a sink.
    func change(_ action: String, _ work: (inout Life) throws(StreamError) -> Void) throws(StreamError) {
        guard callingRelay == nil else {
            throw StreamError(
                .wrongOrder, "\(source.name) cannot \(action) from within its own sink: do it on another thread.")
        }
        try life.withLock { (life) throws(StreamError) in
            settle(&life)
            defer { show(life) }
            try work(&life)
        }
    }

    private func take(
        _ step: StreamLifecycle.Step, _ work: (inout Life) throws(StreamError) -> Void
    ) throws(StreamError) {
        try change(step.rawValue) { (life) throws(StreamError) in try self.step(step, &life, work) }
    }

    private func step(
        _ step: StreamLifecycle.Step, _ life: inout Life, _ work: (inout Life) throws(StreamError) -> Void
    ) throws(StreamError) {
        var lifecycle = life.lifecycle
        try lifecycle.take(step, of: life.source.name) { () throws(StreamError) in try work(&life) }
        life.lifecycle = lifecycle
        show(life)
    }

    /// Completes a stop that was begun from within a sink.
    private func settle(_ life: inout Life) {
        guard life.lifecycle.state == .started, !life.relay.isOpen else { return }
        try? step(.stop, &life, Self.halt)
    }

    private func show(_ life: Life) {
        let shown = Appearance(
            state: life.lifecycle.state, source: life.source, sinks: life.sinks, relay: life.relay)
        // The old objects are released outside the lock.
        let old = appearance.withLock { appearance in
            defer { appearance = shown }
            return appearance
        }
        _ = old
    }
}

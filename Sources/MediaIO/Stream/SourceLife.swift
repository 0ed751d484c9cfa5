/// The part that all sources share: the order of their steps, the gate to their consumer, and their capture thread.
///
/// **Thread:** any, the consumer's calls included.
final class SourceLife: Sendable {
    private enum Opening {
        case pending
        case done
        case failed(StreamError)
    }
    private struct State {
        var lifecycle = StreamLifecycle()
        var thread: SystemThread?
    }

    /// Capture threads yield to the render thread: a late frame costs one frame, a late picture stalls the wall.
    static let captureNiceness: Int32 = 10

    let name: String
    /// Frames and conditions go through here.
    let gate = SourceGate()
    private let cancellation: ReadCancellation?
    private let state = Monitor(State())

    init(name: String, cancellation: ReadCancellation? = nil) {
        self.name = name
        self.cancellation = cancellation
    }

    deinit {
        // A source that is released while it runs must not leave a thread behind.
        dispose()
    }

    /// Takes the consumer.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    func initialize(_ consumer: any VideoFrameConsumer) throws(StreamError) {
        try take(.initialize) { _ in connect(consumer) }
    }

    /// Takes the consumer, starts the capture thread and waits until `open` has returned there.
    ///
    /// - Parameters:
    ///   - consumer: gets what is played.
    ///   - open: makes the media, which never leave the thread.
    ///   - play: plays them; must return soon after the gate has ended, and must not retain the source.
    /// - Throws: what `open` throws, as a ``StreamError``, or ``StreamError/Code/wrongOrder``.
    func initialize<Media>(
        _ consumer: any VideoFrameConsumer,
        open: @escaping @Sendable () throws -> Media, play: @escaping @Sendable (Media) -> Void
    ) throws(StreamError) {
        try take(.initialize) { (thread) throws(StreamError) in
            let opening = Monitor(Opening.pending)
            let made = try SystemThread(for: name, niceness: Self.captureNiceness) {
                let media: Media
                do {
                    media = try open()
                } catch {
                    return opening.change { $0 = .failed(StreamError(error, otherwise: .cannotOpen)) }
                }
                opening.change { $0 = .done }
                play(media)
            }
            let failure = opening.wait { opening -> StreamError?? in
                switch opening {
                case .pending: nil
                case .done: .some(nil)
                case .failed(let error): error
                }
            }
            if case .some(.some(let error)) = failure {
                made.join()
                throw error
            }
            thread = made
            connect(consumer)
        }
    }

    private func connect(_ consumer: any VideoFrameConsumer) {
        gate.setTarget { $0.consumer = consumer }
        (consumer as? SinkRelay)?.share(gate)
    }

    func start() throws(StreamError) {
        try take(.start) { _ in gate.open() }
    }

    /// Closes the gate and waits for the running call, unless it is the caller.
    func stop() {
        // Stopping is never illegal and its work does not throw, so there is no error to pass on.
        try? take(.stop) { _ in gate.close() }
        // Without the lock, because the consumer may need it.
        gate.awaitCaller()
    }

    /// Ends the thread, if there is one, and releases the consumer.
    func dispose() {
        // First the gate, so that the cancelled read is not reported to the consumer.
        gate.end()
        cancellation?.cancel()
        let thread = state.withLock { state in
            try? step(.stop, &state) { _ in }
            try? step(.dispose, &state) { _ in }
            defer { state.thread = nil }
            return state.thread
        }
        gate.awaitCaller()
        gate.setTarget { $0.consumer = nil }
        // The consumer may have the last reference to its source.
        thread?.finish()
    }

    /// Sets what the consumer wants from now on.
    func adapt(to wants: VideoSinkWants) { gate.setTarget { $0.wants = wants } }

    private func take(
        _ step: StreamLifecycle.Step, _ work: (inout SystemThread?) throws(StreamError) -> Void
    ) throws(StreamError) {
        try state.withLock { (state) throws(StreamError) in try self.step(step, &state, work) }
    }

    private func step(
        _ step: StreamLifecycle.Step, _ state: inout State, _ work: (inout SystemThread?) throws(StreamError) -> Void
    ) throws(StreamError) {
        var lifecycle = state.lifecycle
        try lifecycle.take(step, of: name) { () throws(StreamError) in try work(&state.thread) }
        state.lifecycle = lifecycle
    }
}

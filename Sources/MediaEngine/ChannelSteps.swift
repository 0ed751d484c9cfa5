internal import MediaIO

/// The state of a channel, and the steps that change it, one after the other.
///
/// **Thread:** any.
final class ChannelSteps<State: Sendable>: Sendable {
    private let state: Monitor<State>
    /// What was asked for from within sinks, and is not done yet.
    private let waiting = Monitor<[@Sendable (inout State) -> Void]>([])

    init(_ state: State) { self.state = Monitor(state) }

    /// Takes a step, after those that were asked for before; never from within a sink.
    func take<Result, Failure: Error>(
        _ work: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { (state) throws(Failure) in
            let earlier = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for step in earlier { step(&state) }
            return try work(&state)
        }
    }

    /// Takes a step on another thread, before any step that is taken from now on.
    ///
    /// For steps that wait for calls of sinks, from within such a call.
    func takeElsewhere(_ name: String, _ work: @escaping @Sendable (inout State) -> Void) {
        waiting.withLock { $0.append(work) }
        // If no thread can be started, the next step on another thread takes it.
        try? SystemThread(for: name) { [self] in take { _ in } }.detach()
    }
}

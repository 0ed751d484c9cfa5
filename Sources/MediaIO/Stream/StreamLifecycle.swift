/// The order of a source's and a sink's life: initialize, start, stop, dispose.
///
///     created ──initialize──► initialized ──start──► started
///        │                     │    ▲                   │
///        │                  dispose └───────stop────────┘
///        └──dispose──► disposed ◄┘
///
/// `initialize` and `start` out of order are errors. `stop` and `dispose` clean up, so they may be repeated; `dispose`
/// while started is an error of the caller, who must stop first.
public struct StreamLifecycle: Hashable, Sendable {
    /// The state of an object.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Created, without resources.
        case created
        /// Its resources are acquired; no frames flow.
        case initialized
        /// Frames flow.
        case started
        /// Its resources are released, permanently.
        case disposed
    }

    /// A step from one state to another.
    public enum Step: String, CaseIterable, Hashable, Sendable {
        /// Acquires the resources.
        case initialize
        /// Starts the flow of frames.
        case start
        /// Stops the flow of frames.
        case stop
        /// Releases all resources.
        case dispose
    }

    /// The effect of a step in a state.
    public enum Transition: Hashable, Sendable {
        /// Do the work, then change to that state.
        case to(State)
        /// There is nothing to do.
        case nothing
        /// The step is not allowed.
        case illegal
    }

    /// The current state.
    public private(set) var state: State = .created

    /// Creates a life cycle in the state ``State/created``.
    public init() {}

    /// The effect of `step` in the current state.
    public func transition(_ step: Step) -> Transition {
        switch (state, step) {
        case (.created, .initialize): .to(.initialized)
        case (.initialized, .start): .to(.started)
        case (.started, .stop): .to(.initialized)
        case (.created, .dispose), (.initialized, .dispose): .to(.disposed)
        case (.created, .stop), (.initialized, .stop), (.disposed, .stop), (.disposed, .dispose): .nothing
        default: .illegal
        }
    }

    /// Takes a step: performs `work` and changes the state, or leaves the state unchanged if `work` throws.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - name: the object's name, for the error.
    ///   - work: the work of the step.
    /// - Throws: ``StreamError/Code/wrongOrder`` for an illegal step, or what `work` throws.
    public mutating func take(
        _ step: Step, of name: String, _ work: () throws(StreamError) -> Void
    ) throws(StreamError) {
        switch transition(step) {
        case .nothing: return
        case .illegal:
            let next =
                switch (state, step) {
                case (.created, _): "initialize it first"
                case (.disposed, _): "make a new one"
                case (.started, .dispose): "stop it first"
                default: "it was done before; omit this call"
                }
            throw StreamError(.wrongOrder, "\(name) cannot \(step) while it is \(state): \(next).")
        case .to(let next):
            try work()
            state = next
        }
    }
}

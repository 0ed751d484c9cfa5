/// The order of a source's and a sink's life: initialize, start, stop, dispose.
///
///     created ──initialize──► initialized ──start──► started
///        │                     │    ▲                   │
///        │                  dispose └───────stop────────┘
///        └──dispose──► disposed ◄┘
///
/// `initialize` and `start` out of order are errors. `stop` and `dispose` clean up, so they may be said again without
/// harm; `dispose` of what is started is an error in the caller, who stops first.
public struct StreamLifecycle: Hashable, Sendable {
    /// Where in its life an object is.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Made, and holding nothing.
        case created
        /// Holding what it needs; no frame flows.
        case initialized
        /// Frames flow.
        case started
        /// Holding nothing, for good.
        case disposed
    }

    /// A step from one state to another.
    public enum Step: String, CaseIterable, Hashable, Sendable {
        /// Take hold of what is needed.
        case initialize
        /// Let frames flow.
        case start
        /// Let no more frames flow.
        case stop
        /// Let go of everything.
        case dispose
    }

    /// What a step means in a state.
    public enum Transition: Hashable, Sendable {
        /// Do the work, then be in that state.
        case to(State)
        /// Already so: nothing to do.
        case nothing
        /// Not legal here.
        case illegal
    }

    /// The present state.
    public private(set) var state: State = .created

    /// Creates a life at its beginning.
    public init() {}

    /// What `step` means now.
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

    /// Takes a step: does `work` and changes the state, or leaves the state as it was when `work` throws.
    ///
    /// - Parameters:
    ///   - step: which.
    ///   - name: what is stepped, for the error.
    ///   - work: what the step does.
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
                default: "it was done before; leave this call out"
                }
            throw StreamError(.wrongOrder, "\(name) cannot \(step) while it is \(state): \(next).")
        case .to(let next):
            try work()
            state = next
        }
    }
}

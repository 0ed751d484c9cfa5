/// A break of the contract by a source or a sink, and the steps that led to it.
public struct ConformanceViolation: Error, Hashable, CustomStringConvertible {
    /// The rule that was broken.
    public enum Rule: String, CaseIterable, Hashable, Sendable {
        /// A step that is legal threw an error.
        case legalStepThrows = "a legal step throws"
        /// An object that `broken` has made can be initialized, although it should fail.
        case failureMissing = "what must fail does not"
        /// A step, or a sink's call, does not return in time.
        case doesNotReturn = "a call does not return"
        /// A started source delivers nothing in time.
        case noFrame = "a started source delivers nothing"
        /// A source calls its consumer before it is started.
        case callBeforeStart = "a call before start"
        /// A call to the consumer is still running when `stop()` returns, or comes later.
        case callAfterStop = "a call after stop"
        /// A source calls its consumer after `dispose()` has returned.
        case callAfterDispose = "a call after dispose"
        /// A source calls its consumer while another call is running.
        case overlappingCalls = "two calls at a time"
        /// A source calls its consumer from within `adapt(to:)`.
        case callWithinAdapt = "a call from within adapt"
        /// A source retains its consumer after `dispose()`, or after an `initialize` that threw.
        case consumerRetained = "the consumer is retained"
        /// An object is retained after `dispose()`, by itself or by something that it has made.
        case objectRetained = "the object is retained"
        /// A sink keeps frames after `dispose()`.
        case framesKept = "frames are kept after dispose"
        /// A sink's `demand`, `bufferKind` or `pixelFormats` change.
        case demandChanges = "what the sink asks for changes"
    }

    /// The rule.
    public let rule: Rule
    /// What happened, in one sentence.
    public let detail: String
    /// The name of the scenario.
    public let scenario: String
    /// The seed of its random numbers.
    public let seed: UInt64
    /// The steps and calls that led to it, in their order, each with its thread.
    public let trace: [String]

    /// The rule, the sentence, and the trace, one line each.
    public var description: String {
        let lines = ["\(rule.rawValue): \(detail)", "While trying “\(scenario)” with the seed \(seed):"]
        return (lines + trace.map { "  \($0)" }).joined(separator: "\n")
    }
}

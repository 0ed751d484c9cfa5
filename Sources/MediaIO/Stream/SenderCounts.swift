/// How many packets or pictures a sender has sent, and left out.
public struct SenderCounts: Hashable, Sendable {
    /// Those that were handed to the system, the protocol or the pipeline.
    public var sent = 0
    /// Those that were left out, because there was no receiver or it was too slow.
    public var omitted = 0
    /// The connections that were made, or the pipelines.
    public var connections = 0

    /// Begins at zero.
    public init() {}
}

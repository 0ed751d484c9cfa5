/// When a frame of a live stream was captured and received, on the monotonic clock of this machine, and what decoding took.
///
/// **Cost:** copying it allocates nothing.
public struct FrameTiming: Hashable, Sendable {
    /// When it was captured, by the clock of its sender or the driver of its camera; `nil` if that is not known, or if that
    /// clock is wrong (``CaptureReport/clockError``).
    public var capture: MonotonicTime?
    /// When it arrived, encoded or not; `nil` for stored media.
    public var arrival: MonotonicTime?
    /// How long its decoder took, with what it waited for: packets of other pictures; `nil` if it was not encoded.
    public var decoding: Duration?

    /// Creates times; what is not known is `nil`.
    public init(
        capture: MonotonicTime? = nil, arrival: MonotonicTime? = nil, decoding: Duration? = nil
    ) {
        (self.capture, self.arrival, self.decoding) = (capture, arrival, decoding)
    }
}

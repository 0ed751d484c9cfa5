/// When a frame of a live stream was captured, received and decoded, on the monotonic clock of this machine.
///
/// **Cost:** copying it allocates nothing.
public struct FrameTiming: Hashable, Sendable {
    /// When it was captured, by the clock of its sender or the driver of its camera; `nil` if that is not known, or if that
    /// clock is wrong (``CaptureReport/clockError``).
    public var capture: MonotonicTime?
    /// When it arrived, encoded or not; `nil` for stored media.
    public var arrival: MonotonicTime?
    /// When it was decoded; `nil` if it was not encoded.
    public var decoding: MonotonicTime?

    /// Creates times; what is not known is `nil`.
    public init(
        capture: MonotonicTime? = nil, arrival: MonotonicTime? = nil, decoding: MonotonicTime? = nil
    ) {
        (self.capture, self.arrival, self.decoding) = (capture, arrival, decoding)
    }
}

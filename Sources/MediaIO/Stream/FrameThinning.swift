/// Chooses the frames of a stream that make up a lower frame rate.
///
/// At 20 of 30 frames per second, starting at time 0, the first, third, fourth and sixth of six are chosen.
public struct FrameThinning: Sendable {
    /// The wanted frames per second; `nil` for all.
    public var rate: Rational?
    /// The index of the interval, at the wanted rate, for which the last frame was chosen.
    private var turn: Int64?

    /// Starts before the first frame.
    public init(rate: Rational? = nil) { self.rate = rate }

    /// Whether the frame at a time is chosen; call it once for each frame, in order.
    ///
    /// - Parameter time: the frame's time, on any clock.
    /// - Returns: true for at most one frame in each interval of the rate.
    public mutating func takes(_ time: Duration) -> Bool {
        guard let rate else { return true }
        let (seconds, attoseconds) = time.components
        // Times are rounded, in some containers to whole milliseconds: a quarter of an interval compensates for it.
        let turns = (Double(seconds) + Double(attoseconds) * 1e-18) * rate.value + 0.25
        let now = Int64(exactly: turns.rounded(.down)) ?? .max
        guard now != turn else { return false }
        turn = now
        return true
    }

    /// Forgets the frames so far.
    public mutating func reset() { turn = nil }
}

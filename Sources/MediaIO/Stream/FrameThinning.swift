/// Chooses which frames of a stream make up a lower rate.
///
/// At 20 of 30 frames a second the first, third and fourth of six are chosen, whatever their times begin with.
public struct FrameThinning: Sendable {
    /// Frames per second that are wanted; `nil` for all.
    public var rate: Rational?
    /// The turn at the wanted rate that the last frame was chosen for.
    private var turn: Int64?

    /// Starts before the first frame.
    public init(rate: Rational? = nil) { self.rate = rate }

    /// Whether the frame of that time is one of those.
    ///
    /// - Parameter time: on any clock, called once for each frame in order.
    /// - Returns: true for at most one frame of each turn.
    public mutating func takes(_ time: Duration) -> Bool {
        guard let rate else { return true }
        let (seconds, attoseconds) = time.components
        // Times are rounded, in some containers to whole milliseconds: a quarter of a turn makes up for it.
        let turns = (Double(seconds) + Double(attoseconds) * 1e-18) * rate.value + 0.25
        let now = Int64(exactly: turns.rounded(.down)) ?? .max
        guard now != turn else { return false }
        turn = now
        return true
    }

    /// Forgets the frames so far.
    public mutating func reset() { turn = nil }
}

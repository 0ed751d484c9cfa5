/// Decides when it is said how many pictures of a stream were left out: some seconds after the first, so that those of one
/// loss are counted together, and once a minute at most.
struct OmissionLog {
    private static let gathering = Duration.seconds(5)
    private static let interval = Duration.seconds(60)

    /// How many have been said, or do not count.
    private var known: Int
    /// When the others are said; `nil` if there are none.
    private var due: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?
    /// Whether those since the last call counted then.
    private var wasCounted = false

    /// - Parameter known: how many have been left out so far; they do not count.
    init(known: Int) { self.known = known }

    /// Notes how many have been left out so far.
    ///
    /// - Parameters:
    ///   - total: their number since the stream was opened.
    ///   - isCounted: whether there are pictures at present. What was left out before the first of them does not count:
    ///     neither do those since the last call, unless there were pictures then.
    ///   - now: the time.
    /// - Returns: the number to say; `nil` if nothing is said now.
    mutating func note(_ total: Int, isCounted: Bool, at now: ContinuousClock.Instant) -> Int? {
        defer { wasCounted = isCounted }
        guard isCounted, wasCounted, total >= known else {
            (known, due) = (total, nil)
            return nil
        }
        guard total > known else { return nil }
        let due = due ?? max(now + Self.gathering, last.map { $0 + Self.interval } ?? now)
        self.due = due
        guard now >= due else { return nil }
        defer { (known, self.due, last) = (total, nil, now) }
        return total - known
    }
}

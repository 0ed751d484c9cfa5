package import MediaIO

/// Chooses the pace of a tile's effects, so that a picture takes no longer than a budget.
///
/// Three pictures in a row that take longer, or one that takes ten times as long, lower it by a step. A step up is tried
/// once pictures have been fast enough for it for a while; the while doubles each time that this fails.
package struct EffectPacer: Sendable {
    /// The present pace.
    package private(set) var pace = EffectPace.full
    /// The time of the last picture that lowered the pace.
    package private(set) var slowest = Duration.zero
    /// Pictures in a row that took too long.
    private var slow = 0
    /// Since when pictures have been fast enough for a step up; while muted, since when it is.
    private var roomSince: MonotonicTime?
    /// How long there must be room before a step up.
    private var patience = Self.shortest
    /// When the pace last went up.
    private var raised: MonotonicTime?
    /// When the last picture was begun.
    private var begun: MonotonicTime?

    private static let shortest = Duration.seconds(2)
    private static let longest = Duration.seconds(120)
    /// A step up that has lasted for this long was right.
    private static let trial = Duration.seconds(10)
    /// A step up must leave some of the budget.
    private static let share = 0.7

    /// Begins at the full pace.
    package init() {}

    /// Notes a picture.
    ///
    /// - Parameters:
    ///   - time: how long it took.
    ///   - budget: how long it may take.
    ///   - now: when it was ready.
    /// - Returns: whether the pace has changed.
    package mutating func note(_ time: Duration, of budget: Duration, at now: MonotonicTime) -> Bool {
        slow = time > budget ? slow + 1 : 0
        if slow >= 3 || time > budget * 10 {
            // At the lowest rate, a picture may take as long as it lasts.
            if pace == .slow, time <= pace.distance, time <= budget * 10 { return false }
            lower(time, now)
            return true
        }
        if let raised, now - raised > Self.trial { (self.raised, patience) = (nil, Self.shortest) }
        guard pace != .full, time * pace.growth <= budget * Self.share else {
            roomSince = nil
            return false
        }
        return raise(now)
    }

    /// Whether the next picture is to be drawn.
    ///
    /// - Returns: false while it is too early for another one, or if effects are muted and not to be tried again.
    package mutating func begin(at now: MonotonicTime) -> Bool {
        if pace == .muted, !raise(now) { return false }
        if let begun, now - begun < pace.distance { return false }
        begun = now
        return true
    }

    /// When ``begin(at:)`` may be asked again with another answer; `nil` if at any time.
    package var nextBegin: MonotonicTime? {
        if pace == .muted { return roomSince.map { $0 + patience } }
        return begun.map { $0 + pace.distance }
    }

    private mutating func lower(_ time: Duration, _ now: MonotonicTime) {
        if let raised, now - raised <= Self.trial { patience = min(patience * 2, Self.longest) }
        (pace, slowest, slow, raised) = (pace.lower, time, 0, nil)
        roomSince = pace == .muted ? now : nil
    }

    /// Goes up if there has been room for long enough.
    private mutating func raise(_ now: MonotonicTime) -> Bool {
        guard let since = roomSince else {
            roomSince = now
            return false
        }
        guard now - since >= patience else { return false }
        (pace, slow, raised, roomSince) = (pace.higher, 0, now, nil)
        return true
    }
}

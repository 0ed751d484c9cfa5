internal import MediaIO

/// Paces presents by the clock, if waiting for vertical sync is not possible or might never end.
struct FramePacer {
    /// The time from one present to the next.
    let period: Duration
    private var next = MonotonicTime(sinceBoot: .zero)

    /// Creates a pacer for a screen.
    ///
    /// - Parameter refreshRate: the refresh rate in hertz; 0 if it is unknown.
    init(refreshRate: Int32) {
        period = .seconds(1) / Int(refreshRate > 0 ? refreshRate : 60)
    }

    /// Reserves the time of the next present, at `now` or later.
    mutating func slot(now: MonotonicTime) -> MonotonicTime {
        let slot = max(now, next)
        next = slot + period
        return slot
    }
}

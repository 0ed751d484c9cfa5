/// Keeps presents apart by the clock, where waiting for the screen is not possible or may never end.
struct FramePacer {
    /// From one present to the next.
    let period: Duration
    private var next = Duration.zero

    /// Paces for a screen.
    ///
    /// - Parameter refreshRate: pictures a second; 0 when nobody knows.
    init(refreshRate: Int32) {
        period = .seconds(1) / Int(refreshRate > 0 ? refreshRate : 60)
    }

    /// When a present that is wanted at `now` may take place; it counts as done.
    mutating func slot(now: Duration) -> Duration {
        let slot = max(now, next)
        next = slot + period
        return slot
    }
}

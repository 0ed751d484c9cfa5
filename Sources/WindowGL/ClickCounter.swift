internal import MediaIO

/// Counts clicks, to detect double clicks.
struct ClickCounter {
    /// The longest time between two clicks.
    static let interval = Duration.milliseconds(500)
    /// The largest distance between two clicks, in desktop units.
    static let distance = 5.0

    private var last: (button: WindowEvent.MouseButton, x: Double, y: Double, time: MonotonicTime)?
    private var count = 0

    /// Counts a press.
    ///
    /// - Parameters:
    ///   - button: the button; another one starts a new count.
    ///   - x: the position in desktop units.
    ///   - y: the position in desktop units.
    ///   - time: the time on a monotonic clock.
    /// - Returns: the number of this press in its sequence, from 1.
    mutating func press(_ button: WindowEvent.MouseButton, x: Double, y: Double, time: MonotonicTime) -> Int {
        let isNext =
            last.map { last in
                last.button == button && time - last.time <= Self.interval && abs(last.x - x) <= Self.distance
                    && abs(last.y - y) <= Self.distance
            } ?? false
        count = isNext ? count + 1 : 1
        last = (button, x, y, time)
        return count
    }

    /// Notes a release: one at another place has ended a drag, and the next press is no second click.
    mutating func release(x: Double, y: Double) {
        guard let last, abs(last.x - x) > Self.distance || abs(last.y - y) > Self.distance else { return }
        self.last = nil
    }
}

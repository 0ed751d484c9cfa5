/// Tells a double click from two clicks.
struct ClickCounter {
    /// How much later the next click may come.
    static let interval = Duration.milliseconds(500)
    /// How many units of the desktop away it may be.
    static let distance = 5.0

    private var last: (button: WindowEvent.MouseButton, x: Double, y: Double, time: Duration)?
    private var count = 0

    /// Counts a press.
    ///
    /// - Parameters:
    ///   - button: another one begins anew.
    ///   - x: in units of the desktop.
    ///   - y: in units of the desktop.
    ///   - time: on a clock that does not jump.
    /// - Returns: which press in a row this is, from 1.
    mutating func press(_ button: WindowEvent.MouseButton, x: Double, y: Double, time: Duration) -> Int {
        let isNext =
            last.map { last in
                last.button == button && time - last.time <= Self.interval && abs(last.x - x) <= Self.distance
                    && abs(last.y - y) <= Self.distance
            } ?? false
        count = isNext ? count + 1 : 1
        last = (button, x, y, time)
        return count
    }
}

/// The lines of text over the whole wall.
struct ViewerOverlay {
    /// The statistics, or `nil`.
    var statistics: String?
    /// The pixel under the mouse, or `nil`.
    var pixel: String?
    /// When the message disappears, or `nil` if there is none.
    private(set) var end: ContinuousClock.Instant?
    private var message: String?

    /// Shows a message for a moment.
    mutating func show(_ text: String, now: ContinuousClock.Instant) {
        message = text
        end = now + .seconds(3)
    }

    /// Removes an expired message.
    mutating func expire(now: ContinuousClock.Instant) {
        guard let end, now >= end else { return }
        message = nil
        self.end = nil
    }

    /// All lines, or `nil` if there are none.
    var text: String? {
        let lines = [statistics, message, pixel].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

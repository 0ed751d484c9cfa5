/// What is written over the whole wall, line by line.
struct WallOverlay {
    /// How the streams are doing, or `nil`.
    var statistics: String?
    /// The pixel under the mouse, or `nil`.
    var pixel: String?
    /// When the message goes, or `nil` where there is none.
    private(set) var end: ContinuousClock.Instant?
    private var message: String?

    /// Shows a message for a moment.
    mutating func show(_ text: String, now: ContinuousClock.Instant) {
        message = text
        end = now + .seconds(3)
    }

    /// Takes a message away whose time is over.
    mutating func expire(now: ContinuousClock.Instant) {
        guard let end, now >= end else { return }
        message = nil
        self.end = nil
    }

    /// All lines, or `nil` where there is none.
    var text: String? {
        let lines = [statistics, message, pixel].compactMap(\.self)
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

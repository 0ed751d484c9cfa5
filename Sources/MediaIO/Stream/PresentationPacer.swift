/// Says when the frames of stored media are due, by their presentation times and a clock.
///
/// * The first frame is due at once, later ones as long after it as their times say.
/// * A frame without a time, or with one that does not rise, is due a frame's length after the one before it.
/// * A jump by more than ``longestStep``, forward or back, begins a new count in the same way.
/// * A frame that is late by more than ``maximumLateness`` is due at once, and later ones follow it.
struct PresentationPacer {
    /// The largest step in the times that is waited for; twice a frame's length where that is longer.
    static let longestStep = Duration.seconds(10)
    /// How long a frame without a time lasts where no rate is known.
    private static let assumedLength = Duration.milliseconds(40)

    private let frameLength: Duration?
    private let longestStep: Duration
    private let maximumLateness: Duration
    /// A time of the stream, and when it is due.
    private var anchor: (time: Duration, due: MonotonicTime)?
    /// The latest time of this count, if a frame had one, and when the last frame was due.
    private var previous: (time: Duration?, due: MonotonicTime)?

    init(frameRate: Rational?, maximumLateness: Duration) {
        frameLength = frameRate?.time(ofFrame: 1)
        longestStep = max(Self.longestStep, (frameLength ?? .zero) * 2)
        self.maximumLateness = maximumLateness
    }

    /// Forgets what was before, as after a pause: the next frame is due at once.
    mutating func restart() { (anchor, previous) = (nil, nil) }

    /// When the next frame is due.
    ///
    /// - Parameters:
    ///   - time: its presentation time, or `nil` where it has none.
    ///   - now: what the clock says.
    /// - Returns: a moment not before that of the frame before; it may have passed.
    mutating func due(_ time: Duration?, now: MonotonicTime) -> MonotonicTime {
        guard let previous else { return begin(time, at: now) }
        let following = previous.due + (frameLength ?? (time == nil ? Self.assumedLength : .zero))
        var due = following
        var isNewCount = false
        if let time, rises(time), let anchor {
            due = anchor.due + (time - anchor.time)
            isNewCount = due < previous.due || time - (previous.time ?? time) > longestStep
            if isNewCount { due = following }
        } else if let time {
            isNewCount = (previous.time ?? time) - time >= longestStep || anchor == nil
        }
        if now - due > maximumLateness { (due, isNewCount) = (now, true) }
        if isNewCount { return begin(time, at: due) }
        self.previous = (rises(time) ? time : previous.time, due)
        return due
    }

    private func rises(_ time: Duration?) -> Bool {
        guard let time, let latest = previous?.time else { return false }
        return time > latest
    }

    private mutating func begin(_ time: Duration?, at due: MonotonicTime) -> MonotonicTime {
        anchor = time.map { ($0, due) }
        previous = (time, due)
        return due
    }
}

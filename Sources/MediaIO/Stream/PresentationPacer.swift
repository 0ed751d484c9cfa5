/// Schedules the frames of stored media by their presentation times and a clock.
///
/// * The first frame is due immediately, later ones relative to it according to their times.
/// * A frame without a time, or with one that does not increase, is due one frame duration after the previous one.
/// * A jump by more than ``longestStep``, forward or back, starts a new count in the same way.
/// * A frame that is late by more than ``maximumLateness`` is due immediately, and later ones follow it.
struct PresentationPacer {
    /// The largest step in the times that is not skipped; two frame durations if that is longer.
    static let longestStep = Duration.seconds(10)
    /// The frame duration to assume for frames without a time if the rate is unknown.
    private static let assumedLength = Duration.milliseconds(40)

    private let frameLength: Duration?
    private let longestStep: Duration
    private let maximumLateness: Duration
    /// A presentation time, and when it is due.
    private var anchor: (time: Duration, due: MonotonicTime)?
    /// The latest presentation time of this count, if any, and when the last frame was due.
    private var previous: (time: Duration?, due: MonotonicTime)?

    init(frameRate: Rational?, maximumLateness: Duration) {
        frameLength = frameRate?.time(ofFrame: 1)
        longestStep = max(Self.longestStep, (frameLength ?? .zero) * 2)
        self.maximumLateness = maximumLateness
    }

    /// Forgets all frames, as after a pause: the next one is due immediately.
    mutating func restart() { (anchor, previous) = (nil, nil) }

    /// Returns when the next frame is due.
    ///
    /// - Parameters:
    ///   - time: its presentation time, or `nil` if it has none.
    ///   - now: the present time.
    /// - Returns: a time not before that of the previous frame; it may have passed.
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

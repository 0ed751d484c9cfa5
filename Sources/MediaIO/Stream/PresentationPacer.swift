/// Schedules the frames of stored media by their presentation times and a clock.
///
/// * The first frame is due at once, later ones as long after it as their times say.
/// * A frame with a time that does not rise is due a frame's length after the one before it; without a rate, at once.
/// * A jump by more than ``longestStep``, forward or back, begins a new count in the same way.
/// * A frame that is late by more than ``maximumLateness`` is due at once, and later ones follow it.
struct PresentationPacer {
    /// The largest step in the times that is not skipped; two frame durations if that is longer.
    static let longestStep = Duration.seconds(10)

    /// Where the count stands.
    private struct Count {
        /// A time of the stream, and when it is due.
        let anchor: (time: Duration, due: MonotonicTime)
        /// The latest time so far, and when the last frame was due.
        var latest: (time: Duration, due: MonotonicTime)
    }

    private let frameDuration: Duration
    private let longestStep: Duration
    private let maximumLateness: Duration
    private var count: Count?

    init(frameRate: Rational?, maximumLateness: Duration) {
        frameDuration = frameRate?.time(ofFrame: 1) ?? .zero
        longestStep = max(Self.longestStep, frameDuration * 2)
        self.maximumLateness = maximumLateness
    }

    /// Forgets what was before, as after a pause: the next frame is due at once.
    mutating func restart() { count = nil }

    /// Returns when the next frame is due.
    ///
    /// - Parameters:
    ///   - time: as ``FrameTimes`` has it.
    ///   - now: what the clock says.
    /// - Returns: a moment not before that of the frame before; it may have passed.
    mutating func due(_ time: Duration, now: MonotonicTime) -> MonotonicTime {
        guard let count else { return begin(time, at: now) }
        let (anchor, latest) = (count.anchor, count.latest)
        let step = time - latest.time
        var due = anchor.due + (time - anchor.time)
        let isJump = step > longestStep || step <= .zero - longestStep || (step > .zero && due < latest.due)
        if isJump || step <= .zero { due = latest.due + frameDuration }
        if now - due > maximumLateness { return begin(time, at: now) }
        if isJump { return begin(time, at: due) }
        self.count?.latest = (max(time, latest.time), due)
        return due
    }

    /// The stream's time now, or `nil` before the first frame.
    func time(at now: MonotonicTime) -> Duration? { count.map { $0.anchor.time + (now - $0.anchor.due) } }

    /// Takes the frames before the one that is shown at `time` for shown.
    mutating func skip(to time: Duration) {
        guard let anchor = count?.anchor else { return }
        let latest = time - frameDuration
        count?.latest = (latest, anchor.due + (latest - anchor.time))
    }

    private mutating func begin(_ time: Duration, at due: MonotonicTime) -> MonotonicTime {
        count = Count(anchor: (time, due), latest: (time, due))
        return due
    }
}

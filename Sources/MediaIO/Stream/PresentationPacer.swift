/// Schedules the frames of stored media by their presentation times and a clock.
///
/// * The first frame is due immediately, later ones according to their times.
/// * A frame whose time does not increase is due one frame duration after the previous one; without a rate, at the same
///   time as that one.
/// * A jump by more than ``longestStep``, forward or back, begins a new count in the same way.
/// * A frame that is late by more than ``maximumLateness`` is due immediately, and later ones are timed from it.
struct PresentationPacer {
    /// The largest step in the times that is not skipped; two frame durations if that is longer.
    static let longestStep = Duration.seconds(10)

    /// The state of the count.
    private struct Count {
        /// A time of the stream, and when it is due.
        var anchor: (time: Duration, due: MonotonicTime)
        /// The latest time so far, and when the last frame was due.
        var latest: (time: Duration, due: MonotonicTime)
    }

    /// How late the last frame was when it was due, before the clock was delayed for it; negative if it was early.
    private(set) var lateness = Duration.zero

    private let frameDuration: Duration
    private let longestStep: Duration
    private let maximumLateness: Duration
    private var count: Count?

    init(frameRate: Rational?, maximumLateness: Duration) {
        frameDuration = frameRate?.time(ofFrame: 1) ?? .zero
        longestStep = max(Self.longestStep, frameDuration * 2)
        self.maximumLateness = maximumLateness
    }

    /// Discards the count, as after a pause: the next frame is due immediately.
    mutating func restart() { count = nil }

    /// Begins a count in which a time of the stream is due at a moment; the next frame is the one that is shown then.
    mutating func join(_ time: Duration, at due: MonotonicTime) {
        count = Count(anchor: (time, due), latest: (time - frameDuration, due - frameDuration))
    }

    /// Moves the count a little, so that a time of the stream is due at a moment.
    mutating func move(_ time: Duration, to due: MonotonicTime) { count?.anchor = (time, due) }

    /// Returns when the next frame is due.
    ///
    /// - Parameters:
    ///   - time: the frame's time according to ``FrameTimes``.
    ///   - now: the present time.
    /// - Returns: a time not before that of the previous frame; it may be in the past.
    mutating func due(_ time: Duration, now: MonotonicTime) -> MonotonicTime {
        guard let count else {
            lateness = .zero
            return begin(time, at: now)
        }
        let (anchor, latest) = (count.anchor, count.latest)
        let step = time - latest.time
        var due = anchor.due + (time - anchor.time)
        let isJump = step > longestStep || step <= .zero - longestStep || (step > .zero && due < latest.due)
        if isJump || step <= .zero { due = latest.due + frameDuration }
        lateness = now - due
        if lateness > maximumLateness { return begin(time, at: now) }
        if isJump { return begin(time, at: due) }
        self.count?.latest = (max(time, latest.time), due)
        return due
    }

    /// The stream's time now, or `nil` before the first frame.
    func time(at now: MonotonicTime) -> Duration? { count.map { $0.anchor.time + (now - $0.anchor.due) } }

    /// When the stream reaches a time, or `nil` before the first frame.
    func moment(of time: Duration) -> MonotonicTime? { count.map { $0.anchor.due + (time - $0.anchor.time) } }

    /// Counts the frames before the one for `time` as shown.
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

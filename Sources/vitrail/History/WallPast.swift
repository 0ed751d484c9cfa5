import MediaIO

/// Which moment a wall shows, and whether it stands still.
///
/// A wall that is stopped at present, and not wound, goes on with the present; one that was wound goes on from where it
/// was stopped.
struct WallPast: Equatable {
    /// The moment of what is shown; `nil` for the present.
    private(set) var playhead: Playhead?
    /// When the wall was stopped at present; `nil` if it was not, or was wound since.
    private var stop: MonotonicTime?

    /// Whether nothing moves.
    var isStopped: Bool { stop != nil || playhead?.isStopped == true }

    /// The moment that is shown.
    func moment(now: MonotonicTime) -> MonotonicTime { playhead?.moment(now: now) ?? stop ?? now }

    /// Stops at the moment that is shown, or goes on.
    mutating func setStopped(_ isStopped: Bool, now: MonotonicTime) {
        guard isStopped != self.isStopped else { return }
        let moment = moment(now: now)
        if playhead != nil {
            playhead = isStopped ? .stopped(at: moment) : .behind(now - moment)
        } else {
            stop = isStopped ? now : nil
        }
    }

    /// Winds back, or forward: at most to the present, which then goes on unless the wall is stopped.
    ///
    /// - Parameters:
    ///   - time: how far; negative for back.
    ///   - oldest: the oldest moment that can be shown.
    ///   - now: the present.
    mutating func wind(by time: Duration, notBefore oldest: MonotonicTime, now: MonotonicTime) {
        go(to: max(moment(now: now) + time, oldest), now: now)
    }

    /// Shows a moment, and stands still there.
    mutating func stand(at moment: MonotonicTime, now: MonotonicTime) {
        stop = now
        go(to: moment, now: now)
    }

    /// Shows the present, which goes on.
    mutating func showPresent() { (playhead, stop) = (nil, nil) }

    private mutating func go(to moment: MonotonicTime, now: MonotonicTime) {
        if isStopped {
            playhead = .stopped(at: min(moment, now))
        } else {
            playhead = moment < now ? .behind(now - moment) : nil
        }
        stop = nil
    }
}

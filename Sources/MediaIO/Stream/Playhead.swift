/// Which moment of a live stream is shown, if not the present.
public enum Playhead: Hashable, Sendable {
    /// A moment that is always so long ago.
    case behind(Duration)
    /// A moment that stays.
    case stopped(at: MonotonicTime)

    /// The moment that is shown at a time.
    public func moment(now: MonotonicTime) -> MonotonicTime {
        switch self {
        case .behind(let delay): now - delay
        case .stopped(let moment): moment
        }
    }

    /// Whether it stays at one moment.
    public var isStopped: Bool { if case .stopped = self { true } else { false } }
}

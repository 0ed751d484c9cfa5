internal import MediaIO

/// Decides when a window takes frames for its next picture.
///
/// Once the screen's refreshes are known, frames are taken as late as the picture can be made before the next one, so
/// that it shows the newest. Until then, presents that do not wait for vertical sync are kept a refresh apart.
struct FramePacer {
    /// How much earlier than necessary a picture is ready.
    static let margin = Duration.milliseconds(2)

    /// The time between refreshes, by the rate that the screen states.
    let period: Duration
    /// The refreshes; `nil` for a virtual screen, which has none.
    private(set) var clock: RefreshClock?
    /// Whether presents wait for vertical sync.
    private let presentsWait: Bool
    /// The earliest time for the next picture.
    private(set) var next = MonotonicTime(sinceBoot: .zero)
    /// How long before a refresh the frames are taken.
    private var lead = margin
    private var isForRefresh = false

    /// Creates a pacer for a screen.
    ///
    /// - Parameters:
    ///   - refreshRate: the refresh rate in hertz; 0 if it is unknown.
    ///   - presentsWait: whether presents wait for vertical sync.
    init(refreshRate: Int32, presentsWait: Bool) {
        period = .seconds(1) / Int(refreshRate > 0 ? refreshRate : 60)
        clock = refreshRate > 0 ? RefreshClock(refreshRate: refreshRate) : nil
        self.presentsWait = presentsWait
    }

    /// Notes that the screen was refreshed.
    mutating func note(refresh: MonotonicTime) { clock?.note(refresh) }

    /// Reserves the time at which frames are taken for the next picture, `now` or later.
    mutating func slot(now: MonotonicTime) -> MonotonicTime {
        // If the last present waited for vertical sync, its picture is still to be shown, at the next refresh.
        let waiting = presentsWait && !isForRefresh ? period : .zero
        isForRefresh = false
        // Pictures that take longer than a refresh are shown soonest if nothing waits.
        if lead < period, let refresh = clock?.next(after: max(now + waiting + lead, next)) {
            isForRefresh = true
            next = refresh + period / 2
            return max(now, refresh - lead)
        }
        let slot = presentsWait ? now : max(now, next)
        next = slot + period
        return slot
    }

    /// Learns how long a picture takes.
    ///
    /// - Parameters:
    ///   - drawing: the time from taking frames to the present.
    ///   - presenting: the time that the present itself took.
    mutating func notePicture(drawing: Duration, presenting: Duration) {
        if presentsWait, isForRefresh, presenting > .milliseconds(1) {
            // The GPU took longer, and the last picture was late for its refresh. Begin earlier from now on, and skip a
            // refresh, or else all pictures would wait behind one another.
            lead += Self.margin
            next = next + period
        } else {
            lead = max(lead * 1023 / 1024, drawing + (presentsWait ? .zero : presenting) + Self.margin)
        }
        lead = min(lead, period + Self.margin)
    }
}

internal import Synchronization

/// Decides when the pictures of a live stream are shown, from their presentation times and from when they arrive.
///
/// A picture's transit is its arrival less its presentation time: its clock's zero is unknown, so only differences
/// between transits count. A picture is shown at its presentation time plus an offset, the longest transit of the last
/// ten seconds. So those with a shorter transit wait, and none is late.
///
/// * A picture that is late moves the offset at once: it cannot be shown earlier.
/// * When no picture needs the offset any more, it shrinks by a tenth of the time that passes, so that pictures are shown
///   a little faster.
/// * At the beginning, senders deliver what they have kept, faster than it was recorded: as long as transits get
///   shorter, every picture is shown at once. So it is after a jump of the times, and after a longer interruption than
///   the delay may bridge.
///
/// If the delay is one since the capture, and that is known, a picture is shown that long after it instead.
///
/// **Cost:** every picture; allocates nothing.
struct PlayoutClock {
    /// How long transits must not get shorter until the beginning is over.
    private static let beginning = Duration.seconds(1)
    /// Transits that differ by no more are the same.
    private static let tolerance = Duration.milliseconds(10)
    /// Pictures that are late by no more than half the time between them are still shown one by one; at most this.
    private static let maximumSlack = Duration.milliseconds(20)
    /// Times that differ from the others by more are a jump, or were interrupted.
    private static let shortestJump = Duration.milliseconds(500)

    private let delay: PlayoutDelay
    private var transits = TransitWindow()
    /// From presentation times to times of showing.
    private var offset = Duration.zero
    private var lastArrival = MonotonicTime(sinceBoot: .zero)
    private var lastTime = Duration.zero
    /// When transits last became shorter, while the beginning lasts; `nil` after it.
    private var lastFall: MonotonicTime?

    /// How long the picture with the shortest transit is held.
    private(set) var held = Duration.zero

    init(_ delay: PlayoutDelay) { self.delay = delay }

    /// Forgets everything, as before a new connection.
    mutating func reset() {
        transits.removeAll()
        held = .zero
    }

    /// Notes a picture.
    ///
    /// - Parameters:
    ///   - time: its presentation time.
    ///   - arrival: when it was there, whatever the receiver waited for.
    ///   - capture: when it was captured; `nil` if that is not known.
    /// - Returns: when it is shown, which may have passed.
    mutating func due(_ time: Duration, arrival: MonotonicTime, capture: MonotonicTime? = nil) -> MonotonicTime {
        if delay.isSinceCapture, let capture, max(arrival - capture, capture - arrival) <= PlayoutDelay.maximum {
            reset()
            let due = capture + delay.shortest
            held = max(.zero, due - arrival)
            return due
        }
        let transit = arrival.sinceBoot - time
        defer { (lastArrival, lastTime) = (arrival, time) }
        guard let shortest = transits.shortest else {
            // Of a connection, the first picture is shown at once.
            begin(transit, arrival)
            return arrival
        }
        let jump = max(delay.longest, Self.shortestJump)
        if lastFall.map({ arrival - $0 >= Self.beginning }) == true { lastFall = nil }
        if abs(transit - shortest) > jump || lastFall != nil && transit < shortest - Self.tolerance {
            begin(transit, arrival)
        } else {
            transits.note(transit, at: arrival)
            follow(
                transit, slack: min(max(time - lastTime, .zero) / 2, Self.maximumSlack), after: arrival - lastArrival)
        }
        return MonotonicTime(sinceBoot: time + offset)
    }

    private func abs(_ duration: Duration) -> Duration { max(duration, .zero - duration) }

    private mutating func begin(_ transit: Duration, _ arrival: MonotonicTime) {
        transits.removeAll()
        lastFall = arrival
        transits.note(transit, at: arrival)
        offset = transit + delay.shortest
        held = delay.shortest
    }

    /// Moves the offset towards what the transits ask for.
    ///
    /// - Parameters:
    ///   - transit: that of the newest picture.
    ///   - slack: how late a picture may be if none is held.
    ///   - elapsed: the time since the last picture.
    private mutating func follow(_ transit: Duration, slack: Duration, after elapsed: Duration) {
        let (shortest, longest) = (transits.shortest ?? transit, transits.longest ?? transit)
        let lateness = longest - shortest > slack ? longest - shortest : .zero
        let target = shortest + min(max(lateness, delay.shortest), delay.longest)
        if transit > offset + slack {
            offset = max(offset, target)
        } else {
            let step = max(elapsed, .zero) / 10
            offset += min(max(target - offset, .zero - step), step)
        }
        offset = min(offset, shortest + delay.longest)
        held = offset - shortest
    }
}

/// The playout delay of a source, what it may be and what it is, and what is known of its sender's clock.
///
/// **Thread:** any. **Cost:** one atomic operation, for the clock one short lock.
final class PlayoutMeter: Sendable {
    /// What it may be.
    let bounds: PlayoutDelay
    /// What it is shared with, instead of following the stream alone; `nil` for nothing.
    let alignment: PlayoutAlignment?
    private let nanoseconds = Atomic<Int64>(0)
    private let captureReport = Monitor(CaptureReport())

    init(_ bounds: PlayoutDelay, _ alignment: PlayoutAlignment? = nil) {
        (self.bounds, self.alignment) = (bounds, alignment)
    }

    /// What is known of the sender's clock.
    var report: CaptureReport {
        get { captureReport.withLock(\.self) }
        set { captureReport.withLock { $0 = newValue } }
    }

    /// What it is.
    var delay: Duration {
        get { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }
        set { nanoseconds.store(newValue.wholeNanoseconds, ordering: .relaxed) }
    }
}

/// When the pictures of a live stream were captured, on the clock of this machine, as far as their arrival tells it.
///
/// The packet that the network has delivered the quickest of late tells how the sender's clock differs. So what jitters on
/// its way does not jitter here, and a clock that runs at another speed is followed. A quicker packet tells also that those
/// before it were captured earlier than was assumed: ``takeCorrection()``.
struct PictureClock {
    /// What is known better of pictures that were told before.
    struct Correction {
        /// It holds for packets that arrived since.
        let begin: MonotonicTime
        /// When time 0 of the sender's clock was, at the latest.
        let origin: Duration

        /// When a picture was captured, at the latest.
        func latest(_ time: Duration) -> MonotonicTime { MonotonicTime(sinceBoot: time + origin) }
    }

    /// If the difference changes by more than this, the sender's clock was set.
    private static let longestJump = Duration.seconds(5)
    /// How long a packet tells the difference: between once and twice this.
    private static let memory = Duration.seconds(30)
    /// Smaller corrections are not worth it: a clock that gains 30 µs a second would ask for one with each packet.
    private static let smallestCorrection = Duration.milliseconds(1)

    /// The smallest differences between arrival and time: of the present span, and of the one before.
    private var (smallest, former) = (Duration?.none, Duration?.none)
    /// When the present span began, and the one before.
    private var (begin, formerBegin) = (MonotonicTime?.none, MonotonicTime?.none)
    /// The largest difference by which a moment was told and not corrected.
    private var told: Duration?

    /// The smallest difference of both spans; `nil` before the first packet.
    private var least: Duration? { smallest.map { min($0, former ?? $0) } }

    /// Forgets what it knows, as when the sender may be another one.
    mutating func reset() { self = PictureClock() }

    /// When a picture was captured.
    ///
    /// - Parameters:
    ///   - time: its time on the sender's clock; `nil` if it has none.
    ///   - arrival: when its packet arrived.
    /// - Returns: at the latest, the arrival.
    mutating func moment(of time: Duration?, arrival: MonotonicTime) -> MonotonicTime {
        guard let time else { return arrival }
        let difference = arrival.sinceBoot - time
        if let known = smallest ?? former, abs(difference - known) > Self.longestJump { reset() }
        if begin.map({ arrival >= $0 + Self.memory }) ?? true {
            (former, smallest) = (smallest, nil)
            (formerBegin, begin) = (begin, arrival)
        }
        smallest = min(smallest ?? difference, difference)
        let least = least ?? difference
        told = max(told ?? least, least)
        return MonotonicTime(sinceBoot: time + least)
    }

    /// What is known better since it was asked the last time; `nil` if that is nothing, or less than a millisecond.
    mutating func takeCorrection() -> Correction? {
        guard let told, let least, let begin = formerBegin ?? begin, told - least >= Self.smallestCorrection else {
            return nil
        }
        self.told = least
        return Correction(begin: begin, origin: least)
    }

    private func abs(_ span: Duration) -> Duration { span < .zero ? .zero - span : span }
}

internal import MediaIO

/// The refreshes of a screen, measured: how far apart they are, and when the next one is.
///
/// Reported times may be off by a millisecond, and some refreshes are not reported. A phase-locked loop averages the
/// errors. A screen whose refreshes are not regular, because its rate is variable, is never measured.
struct RefreshClock {
    /// The refreshes that are observed before the first prediction.
    private static let warmUp = 32
    /// Without a report for this many refreshes the phase is unknown: small errors of the period have added up.
    private static let longestGap = 120.0

    private var period: Duration
    private var last: MonotonicTime?
    private var count = 0
    /// The times between the first reports.
    private var gaps = [Duration](repeating: .zero, count: warmUp)
    /// The usual distance of a report from its prediction.
    private var spread = Duration.zero

    /// Creates a clock for a screen.
    ///
    /// - Parameter refreshRate: the refresh rate that the screen says it has, in hertz; more than 0.
    init(refreshRate: Int32) { period = .seconds(1) / Int(refreshRate) }

    /// Notes that the screen was refreshed.
    mutating func note(_ time: MonotonicTime) {
        guard let last else { return last = time }
        let elapsed = time - last
        // A refresh may be reported more than once.
        guard elapsed > .milliseconds(2) else { return }
        let periods = (elapsed / period).rounded()
        guard periods <= Self.longestGap else {
            self.last = time
            return
        }
        if periods >= 1 {
            let error = elapsed - period * periods
            self.last = time - error * 0.8
            period += error / periods * 0.02
            spread += ((error < .zero ? .zero - error : error) - spread) * 0.05
        }
        if count < Self.warmUp { gaps[count] = elapsed }
        count = min(count + 1, Self.warmUp)
        if count == Self.warmUp, !isMeasured {
            // The rate is not what the screen states, or the window has moved to a screen with another rate.
            gaps.sort()
            (period, self.last, count, spread) = (gaps[Self.warmUp / 2], time, 0, .zero)
        }
    }

    /// Whether refreshes can be predicted.
    private var isMeasured: Bool { count == Self.warmUp && spread < period / 10 }

    /// The refresh rate in hertz; `nil` until it is measured.
    var rate: Double? { isMeasured ? .seconds(1) / period : nil }

    /// The first refresh after a time; `nil` if that is not known.
    func next(after time: MonotonicTime) -> MonotonicTime? {
        guard let last, isMeasured else { return nil }
        let periods = ((time - last) / period).rounded(.down) + 1
        return periods <= Self.longestGap ? last + period * periods : nil
    }
}

/// What the clock of a live stream's sender says.
public struct CaptureReport: Hashable, Sendable {
    /// The shortest time from the capture of a picture to its arrival, of the last ten seconds, by the sender's clock.
    ///
    /// It is what the network takes at its quickest, if both clocks are right; `nil` if the sender does not say when it
    /// captures, or if its clock is wrong.
    public var networkDelay: Duration?
    /// How far the sender's clock is behind that of this machine, negative if it is ahead; `nil` if it may be right.
    public var clockError: Duration?

    /// Describes a stream of which nothing is known.
    public init() {}
}

/// Judges the clock of a sender, which may be wrong, by when its pictures arrive.
///
/// **Cost:** every picture; allocates nothing.
package struct CaptureClock {
    /// A clock that is ahead by no more may be right: two clocks that are set by a network differ.
    private static let tolerance = Duration.milliseconds(100)
    /// Senders first deliver what they have kept: only then is a clock said to be wrong.
    private static let beginning = Duration.seconds(1)

    private var transits = TransitWindow()
    /// The longest delay that a network is believed to have.
    private let longest: Duration
    private var first: MonotonicTime?
    private var last = MonotonicTime(sinceBoot: .zero)

    /// - Parameter longest: the longest delay that a network is believed to have.
    init(longest: Duration) { self.longest = longest }

    /// What is known.
    var report: CaptureReport {
        var report = CaptureReport()
        guard let first, let delay = transits.shortest else { return report }
        if isRight {
            report.networkDelay = max(delay, .zero)
        } else if last - first >= Self.beginning {
            report.clockError = delay
        }
        return report
    }

    private var isRight: Bool { transits.shortest.map { Self.mayTake($0, longest: longest) } ?? true }

    /// Whether a network may take so long, from a capture to its arrival, or else the clock that stated it is wrong.
    package static func mayTake(_ delay: Duration, longest: Duration = PlayoutAlignment.maximum) -> Bool {
        delay >= .zero - tolerance && delay <= longest
    }

    /// Forgets everything, as before a new connection.
    mutating func reset() {
        transits.removeAll()
        first = nil
    }

    /// Notes a picture.
    ///
    /// - Parameters:
    ///   - capture: when it was captured.
    ///   - arrival: when it was there.
    /// - Returns: the capture; `nil` if the clock is wrong.
    mutating func note(_ capture: MonotonicTime, arrival: MonotonicTime) -> MonotonicTime? {
        // A clock that was set: what it said before is of no use.
        if let known = transits.shortest, let most = transits.longest {
            let transit = arrival - capture
            if transit < known - longest || transit > most + longest { reset() }
        }
        (first, last) = (first ?? arrival, arrival)
        transits.note(arrival - capture, at: arrival)
        return isRight ? capture : nil
    }
}

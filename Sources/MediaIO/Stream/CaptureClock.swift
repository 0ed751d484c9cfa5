/// What the clock of a live stream's sender says.
public struct CaptureReport: Hashable, Sendable {
    /// The shortest time from the capture of a picture to its arrival, of the last ten seconds, by the sender's clock.
    ///
    /// It is what the network takes, if both clocks are right; `nil` if the sender does not say when it captures.
    public var networkDelay: Duration?
    /// How far the sender's clock is behind that of this machine, negative if it is ahead; `nil` if it may be right.
    public var clockError: Duration?

    /// Describes a stream of which nothing is known.
    public init() {}
}

/// Judges the clock of a sender, which may be wrong, by when its pictures arrive.
///
/// **Cost:** every picture; allocates nothing.
struct CaptureClock {
    /// A clock that is ahead by no more may be right: two clocks that are set by a network differ.
    private static let tolerance = Duration.milliseconds(100)

    private var transits = TransitWindow()
    /// The longest delay that a network is believed to have.
    private let longest: Duration

    /// - Parameter longest: the longest delay that a network is believed to have.
    init(longest: Duration) { self.longest = longest }

    /// What is known.
    var report: CaptureReport {
        var report = CaptureReport()
        report.networkDelay = transits.shortest
        if let delay = transits.shortest, delay < .zero - Self.tolerance || delay > longest {
            report.clockError = delay
        }
        return report
    }

    /// Forgets everything, as before a new connection.
    mutating func reset() { transits.removeAll() }

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
        transits.note(arrival - capture, at: arrival)
        return report.clockError == nil ? capture : nil
    }
}

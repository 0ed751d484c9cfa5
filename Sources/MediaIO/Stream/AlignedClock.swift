/// Decides when the pictures of a stream are shown that is aligned with others.
///
/// **Thread:** one at a time. **Cost:** every picture; allocates nothing.
final class AlignedClock {
    /// How long transits must not get shorter until the beginning is over: senders first deliver what they have kept.
    private static let beginning = Duration.seconds(1)
    /// Transits that differ by no more are the same.
    private static let tolerance = Duration.milliseconds(10)
    /// What comes between the arrival of a picture and its tile.
    private static let slack = Duration.milliseconds(5)

    private let alignment: PlayoutAlignment
    private let member: Int
    private var transits = TransitWindow()
    /// When transits last became shorter, while the beginning lasts; `nil` after it.
    private var lastFall: MonotonicTime?
    /// How long the newest picture is held.
    private(set) var held = Duration.zero

    init(_ alignment: PlayoutAlignment) { (self.alignment, member) = (alignment, alignment.join()) }

    deinit { alignment.leave(member) }

    /// Forgets everything, as before a new connection.
    func reset() {
        transits.removeAll()
        alignment.leave(member)
        held = .zero
    }

    /// Notes a picture.
    ///
    /// - Parameters:
    ///   - time: its presentation time.
    ///   - arrival: when it was there, whatever the receiver waited for.
    ///   - capture: when it was captured; `nil` if that is not known.
    ///   - now: the time.
    /// - Returns: when it is shown, which may have passed.
    func due(
        _ time: Duration, arrival: MonotonicTime, capture: MonotonicTime?, now: MonotonicTime
    ) -> MonotonicTime {
        let transit = arrival.sinceBoot - time
        if let shortest = transits.shortest {
            let isJump = transit > shortest + alignment.longest || transit < shortest - alignment.longest
            if isJump || lastFall != nil && transit < shortest - Self.tolerance { begin(at: arrival) }
        } else {
            begin(at: arrival)
        }
        transits.note(transit, at: arrival)
        if let lastFall, arrival - lastFall >= Self.beginning { self.lastFall = nil }
        // From presentation times to moments of capture.
        let offset = capture.map { $0.sinceBoot - time } ?? transits.shortest ?? transit
        var delay = alignment.delay
        if lastFall == nil {
            let least = (transits.shortest ?? transit) - offset + Self.slack
            let need = (transits.longest ?? transit) - offset + Self.slack
            // One that would always be late is shown as it comes; of another, only its slowest pictures are late.
            let isAlwaysLate = least > alignment.longest
            delay = alignment.note(isAlwaysLate ? nil : min(need, alignment.longest), of: member, now: now)
            if isAlwaysLate { delay = .zero }
        }
        let due = MonotonicTime(sinceBoot: time + offset + delay)
        held = max(.zero, due - arrival)
        return due
    }

    private func begin(at arrival: MonotonicTime) {
        transits.removeAll()
        lastFall = arrival
    }
}

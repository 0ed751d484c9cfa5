import MediaIO

/// Why a tile gets no new frames, and how old its picture is.
struct Silence: Equatable {
    /// What happened to the source.
    enum Cause: String {
        /// It is live, but delivers nothing.
        case stalled = "STALLED"
        /// It waits: the connection is lost, the camera unplugged.
        case offline = "OFFLINE"
        /// It has failed, and nothing more will come.
        case failed = "FAILED"
    }

    let cause: Cause
    /// The age of the picture, in seconds; `nil` if it is not said.
    let seconds: Int?

    /// Says why, and how long before `now` the picture arrived.
    init(_ cause: Cause, since arrival: MonotonicTime, now: MonotonicTime) {
        self.cause = cause
        // Both are rounded down, so that all ages of a wall change at the same moments. The error is less than a second.
        seconds = max(0, Int(now.sinceBoot.components.seconds - arrival.sinceBoot.components.seconds))
    }

    /// Says only why.
    init(_ cause: Cause) { (self.cause, seconds) = (cause, nil) }

    /// The age: minutes and seconds, from an hour on with hours.
    var age: String? {
        guard let seconds else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = (seconds / 60 % 60, two(seconds % 60))
        return seconds < 3600 ? "\(two(minutes)):\(rest)" : "\(seconds / 3600):\(two(minutes)):\(rest)"
    }

    /// What the tile says in large letters, the longest first; the next one is for tiles in which it does not fit.
    ///
    /// Without an age, the reason says enough, except about a stalled source, which gives none.
    var headlines: [String] {
        if let age { return ["\(cause.rawValue) \(age)", age] }
        return cause == .stalled ? [cause.rawValue] : []
    }

    /// The next moment at which ages change.
    static func nextChange(after now: MonotonicTime) -> MonotonicTime {
        MonotonicTime(sinceBoot: .seconds(now.sinceBoot.components.seconds + 1))
    }
}

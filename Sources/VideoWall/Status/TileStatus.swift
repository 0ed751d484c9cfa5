import MediaIO

/// What a tile has to say about its stream at a moment.
struct TileStatus: Equatable {
    var state: TileState
    /// Whether the picture is old, so that it must not be taken for a present one.
    var isOld = false
    /// The age of the picture or of the present state, in seconds; `nil` if it is not said.
    var age: Int?
    /// The seconds until the next try; `nil` if none is known, or it has begun.
    var retry: Int?
    /// The local time of day at which the picture arrived, in seconds; `nil` if it is not said.
    var clock: Int?
    /// The step of a movement that says that something is being done.
    var step = 0
    /// How much of its effects there is time for.
    var pace = EffectPace.full
    /// Whether it says something else with each second.
    var isCounting = false

    /// A status that says nothing.
    static let none = TileStatus(state: .live)

    /// Whole seconds between two times.
    ///
    /// Both are rounded down, so that all ages of a wall change at the same moments. The error is less than a second.
    static func seconds(from earlier: MonotonicTime, to later: MonotonicTime) -> Int {
        max(0, Int(later.sinceBoot.components.seconds - earlier.sinceBoot.components.seconds))
    }

    /// The next moment at which ages change.
    static func nextSecond(after now: MonotonicTime) -> MonotonicTime {
        MonotonicTime(sinceBoot: .seconds(now.sinceBoot.components.seconds + 1))
    }

    /// Minutes and seconds, from an hour on with hours.
    static func text(ofAge seconds: Int) -> String {
        let (minutes, rest) = (two(seconds / 60 % 60), two(seconds % 60))
        return seconds < 3600 ? "\(minutes):\(rest)" : "\(seconds / 3600):\(minutes):\(rest)"
    }

    /// The time of day, with 24 hours.
    static func text(ofClock seconds: Int) -> String {
        "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

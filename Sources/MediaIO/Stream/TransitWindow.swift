/// The shortest and the longest of the times that the pictures of the last ten seconds took.
///
/// **Cost:** every picture; allocates nothing.
struct TransitWindow {
    /// The shortest and the longest within a second.
    private struct Second {
        var number: Int64
        var shortest: Duration
        var longest: Duration
    }

    private static let length: Int64 = 10

    private var seconds: [Second] = []

    /// Makes an empty window.
    init() { seconds.reserveCapacity(Int(Self.length) + 1) }

    /// The shortest; `nil` without any.
    var shortest: Duration? { seconds.lazy.map(\.shortest).min() }

    /// The longest; `nil` without any.
    var longest: Duration? { seconds.lazy.map(\.longest).max() }

    /// Forgets all.
    mutating func removeAll() { seconds.removeAll(keepingCapacity: true) }

    /// Notes what a picture took.
    mutating func note(_ transit: Duration, at arrival: MonotonicTime) {
        let number = arrival.sinceBoot.components.seconds
        if let last = seconds.indices.last, seconds[last].number == number {
            seconds[last].shortest = min(seconds[last].shortest, transit)
            seconds[last].longest = max(seconds[last].longest, transit)
        } else {
            seconds.removeAll { $0.number <= number - Self.length }
            seconds.append(Second(number: number, shortest: transit, longest: transit))
        }
    }
}

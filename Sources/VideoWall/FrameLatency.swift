internal import Glibc

/// How long frames took from their source to the screen: from ``FrameMailbox/put(_:)`` to ``Wall/notePresented()``.
///
/// Times are counted in steps of 9 %, from a microsecond to a minute; a longer time counts as a minute.
public struct FrameLatency: Sendable {
    private static let stepsPerOctave = 8.0
    private var counts = InlineArray<208, Int>(repeating: 0)
    /// The number of frames.
    public private(set) var count = 0
    /// The longest time.
    public private(set) var maximum = Duration.zero

    /// Creates a count of no frames.
    public init() {}

    /// Counts a time.
    package mutating func note(_ time: Duration) {
        let octaves = log2(max(time / .microseconds(1), 1))
        counts[min(Int(octaves * Self.stepsPerOctave), counts.count - 1)] += 1
        count += 1
        maximum = max(maximum, time)
    }

    /// The time that a share of the frames did not exceed.
    ///
    /// - Parameter share: 0.5 for the median, 0.99 for the time that only one frame in a hundred exceeds.
    /// - Returns: the time within 5 %; `nil` without frames.
    public func percentile(_ share: Double) -> Duration? {
        let rank = Int((Double(count) * share).rounded(.up))
        var sum = 0
        for index in counts.indices {
            sum += counts[index]
            // The middle of the step.
            guard sum < max(rank, 1) else {
                return min(.microseconds(exp2((Double(index) + 0.5) / Self.stepsPerOctave)), maximum)
            }
        }
        return nil
    }

    /// Adds the frames of another count.
    public mutating func add(_ other: FrameLatency) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
        maximum = max(maximum, other.maximum)
    }

    /// The frames since an earlier state of this count; their longest time is known only within 9 %.
    public func since(_ earlier: FrameLatency) -> FrameLatency {
        var rest = FrameLatency()
        for index in counts.indices where counts[index] > earlier.counts[index] {
            rest.counts[index] = counts[index] - earlier.counts[index]
            rest.count += rest.counts[index]
            rest.maximum = min(maximum, .microseconds(exp2(Double(index + 1) / Self.stepsPerOctave)))
        }
        return rest
    }
}

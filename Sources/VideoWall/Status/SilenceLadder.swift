/// How long a live source may be silent before its tile says so, in steps.
///
/// The times hold for a source whose frames are at most 0.25 s apart. For a slower one, all are longer by the same factor,
/// so that twice the usual distance between its frames is not late yet.
public struct SilenceLadder: Hashable, Sendable {
    /// From when on the next picture is ``TileState/late``.
    public var late: Duration
    /// From when on the source is ``TileState/stalled``.
    public var stalled: Duration
    /// From when on the old picture is dimmed, and says how old it is.
    public var dimmed: Duration
    /// How long the same picture must arrive, at least, before the source is ``TileState/frozen``; `nil` for never.
    ///
    /// It must also be three times as long as it was before, and the source must have moved once: a camera on a quiet yard
    /// at night may send the same picture for long.
    public var frozen: Duration?

    /// Creates a ladder.
    public init(
        late: Duration = .milliseconds(500), stalled: Duration = .seconds(1), dimmed: Duration = .seconds(3),
        frozen: Duration? = .seconds(10)
    ) {
        (self.late, self.stalled, self.dimmed, self.frozen) = (late, stalled, dimmed, frozen)
    }

    /// The ladder for a source whose frames are usually some time apart; `nil` if that is not known yet.
    func scaled(to distance: Duration?) -> SilenceLadder {
        guard let distance, distance * 2 > late, late > .zero else { return self }
        let factor = 2 * (distance / late)
        return SilenceLadder(
            late: late * factor, stalled: stalled * factor, dimmed: dimmed * factor, frozen: frozen.map { $0 * factor })
    }
}

/// How far apart the frames of a source usually are.
struct UsualDistance {
    private var average = Duration.zero
    private var longest = Duration.zero
    private var count = 0
    private static let least = 6

    /// The distance; `nil` as long as there were only a few frames.
    var value: Duration? { count >= Self.least ? average : nil }

    /// The same, and the longest as long as there were only a few; `nil` before the second frame.
    var cautious: Duration? { value ?? (count > 0 ? longest : nil) }

    /// Notes the time between two frames.
    mutating func note(_ distance: Duration) {
        guard distance > .zero else { return }
        count = min(count + 1, Self.least)
        longest = max(longest, distance)
        guard count > 1 else { return average = distance }
        // What is far longer is a stall or a time of being hidden, from which nothing is to be learnt about the usual.
        average += distance < average ? (distance - average) / 2 : (min(distance, average * 2) - average) / 8
    }

    /// Forgets it, as after another connection.
    mutating func forget() { self = UsualDistance() }
}

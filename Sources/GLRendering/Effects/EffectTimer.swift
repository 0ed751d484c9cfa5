import MediaIO
import VitrailGL

/// Measures how long the effects of a tile, or of a wall, take on the GPU.
///
/// On a GPU, timer queries measure: their results arrive some pictures later, and nothing waits for them. Software
/// drivers execute everything that is drawn into a target at once, so queries cannot tell the effects apart; there, the
/// clock measures some of the pictures, and all drawing is finished before and after their effects.
final class EffectTimer {
    /// A picture whose time is not known yet.
    private struct Slot {
        /// The number of measured pieces of work; a whole picture has two: everything before the last draw, and the
        /// last draw.
        var pieces = 0
        var begin: MonotonicTime?
    }

    private let context: GLContext
    private let usesQueries: Bool
    /// The time of the newest measured picture.
    private(set) var time = Duration.zero
    /// Counts the measured pictures.
    private(set) var count = 0

    private var pictures = 0
    private var isMeasuring = false
    private var slots = InlineArray<4, Slot>(repeating: Slot())
    /// For each slot, the start and the end of each piece of work.
    private let stamps: InlineArray<16, TimestampQuery>
    /// For the clock: the start of the current piece of work, the sum of the earlier ones, and their number.
    private var clock: (begin: MonotonicTime, sum: Duration, pieces: Int) = (.now, .zero, 0)

    /// Makes a timer.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - usesQueries: whether queries measure instead of the clock.
    init(_ context: GLContext, usesQueries: Bool) {
        self.context = context
        self.usesQueries = usesQueries
        stamps = InlineArray { _ in TimestampQuery(context) }
    }

    /// When the oldest work that may be unfinished was submitted; `nil` if there is none.
    var unfinishedSince: MonotonicTime? {
        var earliest: MonotonicTime?
        for index in 0..<4 where slots[index].pieces > 0 {
            if let begin = slots[index].begin, earliest.map({ begin < $0 }) ?? true { earliest = begin }
        }
        return earliest
    }

    /// Begins a picture, after collecting the results of earlier ones; a picture without a last draw does not count.
    ///
    /// - Parameter budget: after a picture that took longer, the next one is measured, too.
    func beginPicture(_ budget: Duration) {
        usesQueries ? beginQueries() : beginClock(budget)
    }

    private func beginClock(_ budget: Duration) {
        if clock.pieces > 1 {
            if isMeasuring { note(clock.sum) }
            pictures += 1
        }
        (clock.sum, clock.pieces) = (.zero, 0)
        isMeasuring = pictures < 3 || pictures % 8 == 0 || (count > 0 && time > budget)
    }

    private func beginQueries() {
        if isMeasuring, slots[slot].pieces > 1 { pictures += 1 }
        slots[slot].pieces = isMeasuring && slots[slot].pieces == 1 ? 0 : slots[slot].pieces
        for age in 0..<4 { resolve((pictures + age) & 3) }
        isMeasuring = slots[slot].pieces == 0
        if isMeasuring { slots[slot].begin = .now }
    }

    /// The slot of the present picture.
    private var slot: Int { pictures & 3 }

    /// Begins a piece of work.
    func start() {
        guard isMeasuring else { return }
        if usesQueries {
            if slots[slot].pieces < 2 { stamps[slot * 4 + slots[slot].pieces * 2].note() }
        } else {
            context.finish()
            clock.begin = .now
        }
    }

    /// Ends a piece of work.
    func stop() {
        clock.pieces += 1
        guard isMeasuring else { return }
        if usesQueries {
            guard slots[slot].pieces < 2 else { return }
            stamps[slot * 4 + slots[slot].pieces * 2 + 1].note()
            slots[slot].pieces += 1
        } else {
            context.finish()
            clock.sum += .now - clock.begin
        }
    }

    /// Adds up the times of a slot once all of them are known.
    private func resolve(_ slot: Int) {
        let pieces = slots[slot].pieces
        guard pieces > 0, stamps[slot * 4 + pieces * 2 - 1].time != nil else { return }
        var sum: UInt64 = 0
        for piece in 0..<pieces {
            guard let begin = stamps[slot * 4 + piece * 2].time, let end = stamps[slot * 4 + piece * 2 + 1].time
            else { return }
            sum += end > begin ? end - begin : 0
        }
        slots[slot].pieces = 0
        note(.nanoseconds(Int64(min(sum, UInt64(Int64.max)))))
    }

    private func note(_ time: Duration) {
        self.time = time
        count += 1
    }
}

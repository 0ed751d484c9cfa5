import VideoWall
import VitrailGL

/// Measures the passes of pictures by timer queries, whose results come some pictures later; nothing waits.
final class PassTimer {
    /// The end of a pass, in the order of the work.
    enum Pass: Int {
        case upload = 1
        case prepare
        case draw
    }

    /// The pictures measured so far.
    private(set) var times = PassTimes()
    /// For each of four pictures: its beginning, and the ends of its three passes.
    private let stamps: InlineArray<16, TimestampQuery>
    /// The pictures whose times are not known yet.
    private var isPending = InlineArray<4, Bool>(repeating: false)
    private var slot = 0
    private var isMeasuring = false

    init(_ context: GLContext) {
        stamps = InlineArray { _ in TimestampQuery(context) }
    }

    /// Begins a picture; it is not measured if the GPU is four pictures behind.
    func begin() {
        for index in 0..<4 where isPending[index] { resolve(index) }
        slot = (slot + 1) & 3
        isMeasuring = !isPending[slot]
        if isMeasuring { stamps[slot * 4].note() }
    }

    /// Ends a pass; ``Pass/draw`` is the last one of a picture, and a picture without it does not count.
    func end(_ pass: Pass) {
        guard isMeasuring else { return }
        stamps[slot * 4 + pass.rawValue].note()
        if pass == .draw { (isPending[slot], isMeasuring) = (true, false) }
    }

    private func resolve(_ slot: Int) {
        // The last one first: it is usually the missing one.
        guard let end = time(.draw, slot), let prepared = time(.prepare, slot), let uploaded = time(.upload, slot),
            let begin = stamps[slot * 4].time
        else { return }
        isPending[slot] = false
        times.pictures += 1
        times.upload += Self.duration(begin, uploaded)
        times.prepare += Self.duration(uploaded, prepared)
        times.draw += Self.duration(prepared, end)
    }

    private func time(_ pass: Pass, _ slot: Int) -> UInt64? { stamps[slot * 4 + pass.rawValue].time }

    /// Zero if the clock has gone back, which it does when the GPU sleeps.
    private static func duration(_ begin: UInt64, _ end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end > begin ? end - begin : 0))
    }
}

import CVitrailFFmpeg
import MediaIO

/// Makes presentation times from timestamps: from zero on, and always rising.
///
/// * A frame without a timestamp comes one frame's length after the one before it.
/// * One that is not later than the one before it, but by less than a second, is shown a millisecond after it: it
///   stutters where the stream does and does not push later frames back.
/// * A jump back by a second or more, or forward by more than ``longestStep``, begins a new count: the frame comes one
///   frame's length after the one before it, and later ones follow from there.
struct PresentationClock {
    /// Seconds of one timestamp unit.
    let unit: AVRational
    /// How long a frame lasts where nothing better is known.
    let frameLength: Duration
    /// The largest step forward that is believed.
    let longestStep: Duration
    /// The timestamp that is time zero.
    let origin: Int64

    private var previous: Duration?
    private var shift = Duration.zero

    init(unit: AVRational, frameLength: Duration, longestStep: Duration, origin: Int64) {
        (self.unit, self.frameLength, self.longestStep, self.origin) = (unit, frameLength, longestStep, origin)
    }

    /// The time of the next frame, whose timestamp is in units, or `nil` when it has none.
    mutating func time(_ timestamp: Int64?) -> Duration {
        let result = repaired(timestamp.flatMap(time(ofTimestamp:)))
        previous = result
        return result
    }

    /// Forgets the frame before, as after going to another place.
    mutating func reset() { (previous, shift) = (nil, .zero) }

    private mutating func repaired(_ stated: Duration?) -> Duration {
        guard let previous else { return max(stated ?? .zero, .zero) }
        guard let stated else { return previous + frameLength }
        let time = stated + shift
        let step = time - previous
        if step > .zero && step <= longestStep { return time }
        if step <= .zero && step > .seconds(-1) { return previous + .milliseconds(1) }
        shift += previous + frameLength - time
        return previous + frameLength
    }

    /// A timestamp as a time, rounded down to a nanosecond, or `nil` when it is beyond all that can be meant.
    private func time(ofTimestamp timestamp: Int64) -> Duration? {
        let (ticks, overflow) = timestamp.subtractingReportingOverflow(origin)
        guard !overflow else { return nil }
        let nanoseconds = av_rescale_q_rnd(ticks, unit, AVRational(num: 1, den: 1_000_000_000), AV_ROUND_DOWN)
        // The library answers the smallest number when the result would not fit.
        return nanoseconds == .min ? nil : .nanoseconds(nanoseconds)
    }

    /// A time as a timestamp, rounded down.
    func timestamp(of time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        // Thirty years are further than any stream goes.
        let nanoseconds = min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        let ticks = av_rescale_q_rnd(nanoseconds, AVRational(num: 1, den: 1_000_000_000), unit, AV_ROUND_DOWN)
        return origin.addingReportingOverflow(ticks).partialValue
    }
}

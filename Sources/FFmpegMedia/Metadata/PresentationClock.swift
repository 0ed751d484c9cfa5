import CVitrailFFmpeg
import MediaIO

/// Converts timestamps to presentation times, which begin at zero and always increase.
///
/// * A frame without a timestamp comes one frame duration after the previous one.
/// * If a timestamp equals the previous one or goes back by less than a second, the frame is shown a millisecond after
///   the previous one: playback stutters where the stream does, and later frames are not delayed.
/// * A jump back by a second or more, or forward by more than ``longestStep``, starts a new count: the frame comes one
///   frame duration after the previous one, and later ones continue from there.
struct PresentationClock {
    /// The timestamp unit, in seconds.
    let unit: AVRational
    /// The frame duration to assume if timestamps do not give one.
    let frameDuration: Duration
    /// The largest step forward that does not start a new count.
    let longestStep: Duration
    /// The timestamp that is time zero.
    let origin: Int64

    private var previous: Duration?
    private var shift = Duration.zero

    init(unit: AVRational, frameDuration: Duration, longestStep: Duration, origin: Int64) {
        (self.unit, self.frameDuration, self.longestStep, self.origin) = (unit, frameDuration, longestStep, origin)
    }

    /// The time of the next frame, from its timestamp, or `nil` if it has none.
    mutating func time(_ timestamp: Int64?) -> Duration {
        let result = repaired(timestamp.flatMap(time(ofTimestamp:)))
        previous = result
        return result
    }

    /// Whether no new count has started since the last seek, so that a time can be converted back to a timestamp.
    var isContinuous: Bool { shift == .zero }

    /// Forgets the previous frame, after a seek.
    mutating func reset() { (previous, shift) = (nil, .zero) }

    private mutating func repaired(_ stated: Duration?) -> Duration {
        guard let previous else { return max(stated ?? .zero, .zero) }
        guard let stated else { return previous + frameDuration }
        let time = stated + shift
        let step = time - previous
        if step > .zero && step <= longestStep { return time }
        if step <= .zero && step > .seconds(-1) { return previous + .milliseconds(1) }
        shift += previous + frameDuration - time
        return previous + frameDuration
    }

    /// Converts a timestamp to a time, rounded down to a nanosecond; `nil` if it is out of range.
    private func time(ofTimestamp timestamp: Int64) -> Duration? {
        let (ticks, overflow) = timestamp.subtractingReportingOverflow(origin)
        guard !overflow else { return nil }
        let nanoseconds = av_rescale_q_rnd(ticks, unit, AVRational(num: 1, den: 1_000_000_000), AV_ROUND_DOWN)
        // The library returns the smallest number on overflow.
        return nanoseconds == .min ? nil : .nanoseconds(nanoseconds)
    }

    /// Converts a time to a timestamp, rounded down.
    func timestamp(of time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        // No stream is longer than thirty years.
        let nanoseconds = min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        let ticks = av_rescale_q_rnd(nanoseconds, AVRational(num: 1, den: 1_000_000_000), unit, AV_ROUND_DOWN)
        return origin.addingReportingOverflow(ticks).partialValue
    }
}

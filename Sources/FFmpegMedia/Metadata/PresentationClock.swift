import MediaIO

/// Converts times on a stream's own clock to presentation times, which begin at zero and always increase.
///
/// * A frame without a timestamp comes one frame duration after the previous one.
/// * If a timestamp equals the previous one or goes back by less than a second, the frame is shown a millisecond after
///   the previous one: playback stutters where the stream does, and later frames are not delayed.
/// * A jump back by a second or more, or forward by more than ``longestStep``, starts a new count: the frame comes one
///   frame duration after the previous one, and later ones continue from there.
struct PresentationClock {
    /// The frame duration to assume if timestamps do not give one.
    let frameDuration: Duration
    /// The largest step forward that does not start a new count.
    let longestStep: Duration
    /// The time on the stream's own clock that is zero.
    let origin: Duration

    private var previous: Duration?
    private var shift = Duration.zero

    init(frameDuration: Duration, longestStep: Duration, origin: Duration) {
        (self.frameDuration, self.longestStep, self.origin) = (frameDuration, longestStep, origin)
    }

    /// Makes a clock that starts at the first frame, or at the stream's start time if packets before that frame failed.
    init(_ packets: MediaPacketReader, _ first: VideoFrame, isWhole: Bool) {
        let start = isWhole ? nil : packets.startTime
        let time = first.presentationTime ?? .zero
        self.init(
            frameDuration: packets.shown.frameRate?.time(ofFrame: 1) ?? .milliseconds(40),
            longestStep: packets.input.allowsJumps ? .seconds(10) : .seconds(86_400),
            origin: min(start ?? time, time))
    }

    /// The time of the next frame, from its time on the stream's own clock, or `nil` if it has none.
    mutating func time(_ stated: Duration?) -> Duration {
        let result = repaired(stated.map { $0 - origin })
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
}

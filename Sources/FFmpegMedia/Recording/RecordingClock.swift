import MediaIO

/// The times of packets in a recording: those of the stream, from zero on, without its jumps.
///
/// A sender's clock may be set, or begin anew. If a time then goes back by more than ``longestReturn``, or is later
/// by more than ``longestDrift`` than that of the packet before it and that of its arrival, the recording goes on as it
/// arrives.
struct RecordingClock {
    private struct Track {
        /// What is added to the times of the stream.
        var offset: Duration
        /// How long a picture is decoded before it is shown, if its sender does not say when it is decoded.
        var delay = Duration.zero
        /// How long each packet is, as one of sound; `nil` if that differs.
        var step: Duration?
        /// The last time in the file, and when that packet arrived.
        var last: (time: Duration, arrival: MonotonicTime)?

        func time(of timing: EncodedPacket.Timing) -> Duration? {
            timing.decoding ?? timing.presentation.map { $0 - delay }
        }
    }

    /// How far a time may go back, as for pictures whose sender does not say when they are decoded.
    static let longestReturn = Duration.milliseconds(500)
    /// How much a jump of the clock to a later time must be.
    static let longestDrift = Duration.seconds(5)

    private var tracks: [Track]
    /// What the newest jump did to the offset of the track that it was first seen in.
    private var jump: (from: Duration, to: Duration)?

    /// Begins with the first packets, which say whether pictures are shown in another order than they are decoded.
    ///
    /// - Parameters:
    ///   - first: the times of these packets, and the index of the track of each.
    ///   - steps: for each track, how long all its packets are; `nil` if they differ.
    init(_ first: [(timing: EncodedPacket.Timing, track: Int)], steps: [Duration?]) {
        tracks = steps.map { Track(offset: .zero, step: $0) }
        for index in tracks.indices {
            var latest: Duration?
            for (timing, track) in first where track == index {
                guard let time = timing.presentation else { continue }
                if let latest { tracks[index].delay = max(tracks[index].delay, latest - time) }
                latest = max(latest ?? time, time)
            }
        }
        let zero = first.lazy.compactMap { [tracks] in tracks[$0.track].time(of: $0.timing) }.min() ?? .zero
        for index in tracks.indices { tracks[index].offset = .zero - zero }
    }

    /// The times of a packet in the file.
    ///
    /// - Parameters:
    ///   - timing: its times in the stream.
    ///   - index: the index of its track.
    ///   - arrival: when it arrived.
    /// - Returns: both times, that of decoding after that of the packet before it.
    mutating func map(
        _ timing: EncodedPacket.Timing, track index: Int, arrival: MonotonicTime
    ) -> EncodedPacket.Timing {
        let time = tracks[index].time(of: timing)
        let last = tracks[index].last
        let expected = last.map { $0.time + (arrival - $0.arrival) }
        if let time, let last, let expected, isJump(time + tracks[index].offset, after: last.time, expected) {
            tracks[index].offset = offset(afterJumpTo: time, of: tracks[index], last.time, expected)
        }
        let offset = tracks[index].offset
        var mapped = timing
        // MPEG-TS has the time of the first of several packets of sound that it sends together.
        let next = last.flatMap { last in tracks[index].step.map { last.time + $0 } } ?? expected
        var decoding = time.map { $0 + offset } ?? next ?? .zero
        // MP4 takes no time twice; its times of sound are samples, at 8 kHz 125 µs apart.
        if let last { decoding = max(decoding, last.time + .microseconds(200)) }
        tracks[index].last = (decoding, arrival)
        (mapped.decoding, mapped.presentation) = (decoding, decoding)
        if let presentation = timing.presentation { mapped.presentation = max(decoding, presentation + offset) }
        return mapped
    }

    /// What is added to times from a jump on: the tracks of a stream have the same clock, and jump together.
    ///
    /// Packets of one of them may come late, as those that a demuxer has held back until the next.
    private mutating func offset(
        afterJumpTo time: Duration, of track: Track, _ last: Duration, _ expected: Duration
    ) -> Duration {
        if let jump, jump.from == track.offset, !isJump(time + jump.to, after: last, expected) { return jump.to }
        let known = tracks.first { !isFar($0.offset, expected - time, .seconds(1)) }
        if let known { return known.offset }
        jump = (track.offset, expected - time)
        return expected - time
    }

    /// Whether a time shows that the clock was set: packets come in the order in which they are decoded.
    private func isJump(_ time: Duration, after last: Duration, _ expected: Duration) -> Bool {
        time < last - Self.longestReturn
            || isFar(time, expected, Self.longestDrift) && isFar(time, last, Self.longestDrift)
    }

    private func isFar(_ time: Duration, _ other: Duration, _ limit: Duration) -> Bool {
        time - other > limit || other - time > limit
    }
}

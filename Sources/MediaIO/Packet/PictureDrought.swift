/// How long a stream has had packets, but no pictures, and whether that is to be said.
struct PictureDrought {
    /// After this many packets without a picture, or this time, it is said why.
    private static let maximumCount = 150
    private static let maximumTime = Duration.seconds(5)
    /// After a loss, a stream that has no key frame for as long as three usual times between two, and for at least as long
    /// as this, is not what it was.
    private static let shortestSilence = Duration.seconds(3)

    /// Packets in a row, and when the first of them arrived or was due.
    private struct Row {
        /// `.max` once the drought was said.
        var count = 0
        var since: Duration?

        mutating func note(at time: Duration?) {
            since = since ?? time
            if count < .max { count += 1 }
        }

        func time(at now: Duration?) -> Duration { now.flatMap { now in since.map { now - $0 } } ?? .zero }
    }

    private var now: Duration?
    /// The packets since the last picture.
    private var packets = Row()
    /// Those that were left out in a row for lack of a key frame.
    private var waiting = Row()
    /// When the last key frame arrived, and the longest time between two.
    private var keyFrames: (last: Duration?, longestGap: Duration?) = (nil, nil)

    /// Notes a packet, and when it arrived or was due, if that is known.
    mutating func note(at time: Duration?) {
        now = time
        packets.note(at: time)
    }

    /// Notes that the packet is a key frame.
    mutating func noteKeyFrame(arrival: Duration?) {
        guard let arrival else { return }
        if let last = keyFrames.last { keyFrames.longestGap = max(keyFrames.longestGap ?? .zero, arrival - last) }
        keyFrames.last = arrival
    }

    /// Notes a picture.
    mutating func end() { packets = Row() }

    /// Notes that the packet is left out for lack of a key frame.
    ///
    /// - Returns: how long packets have been left out.
    mutating func waitForKeyFrame() -> Duration {
        waiting.note(at: now)
        return waiting.time(at: now)
    }

    /// Notes that packets are no longer left out, or for another reason.
    mutating func endWait() { waiting = Row() }

    /// Whether there has been no key frame for so long that the stream cannot be what it was.
    var hasChanged: Bool {
        guard let gap = keyFrames.longestGap else { return false }
        return waiting.time(at: now) >= max(gap * 3, Self.shortestSilence)
    }

    /// How many packets were left out for lack of a key frame, if that is to be said now.
    mutating func countToBeSaid() -> Int? {
        let (count, time) = (waiting.count, waiting.time(at: now))
        guard count < .max, count >= Self.maximumCount || time >= Self.maximumTime else { return nil }
        waiting.count = .max
        return count
    }

    /// Whether it is to be said now that nothing can be decoded.
    ///
    /// - Parameter hasFailed: whether decoding the packet failed; if not, its picture may only be late.
    /// - Returns: true once.
    mutating func isToBeSaid(hasFailed: Bool) -> Bool {
        let (count, time) = (packets.count, packets.time(at: now))
        guard count < .max, count >= Self.maximumCount || hasFailed && time >= Self.maximumTime else { return false }
        packets.count = .max
        return true
    }
}

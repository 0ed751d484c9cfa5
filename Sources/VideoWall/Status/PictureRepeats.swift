import MediaIO

/// Notices that a source delivers the same picture again and again.
///
/// Once a second at most, two frames that follow each other are looked at. The picture is the same if it is what it was
/// byte for byte, or if it is close to that and the two frames are equal: in a picture that is alive, such as one with the
/// noise of a sensor, no two frames are. One look at which they are not is forgiven, since it may be at a key frame. A frame
/// that is not in memory, such as a texture, is never the same.
///
/// **Cost:** once a second, twice that of a ``PictureSignature``; allocates nothing after the first look.
struct PictureRepeats {
    /// The first picture of this repetition.
    private var reference = PictureSignature()
    /// The first of the two frames of a look.
    private var picture = PictureSignature()
    private var next = PictureSignature()
    /// The hash of the last look; `nil` if there was none, or it cannot be compared.
    private var lastHash: UInt64?
    private var lookedAt: MonotonicTime?
    /// When the first frame of a look came, while the second one is waited for.
    private var begun: MonotonicTime?
    private var wasForgiven = false
    /// When the picture was first seen.
    private(set) var since: MonotonicTime?
    /// The longest time, in seconds, for which the source has repeated a picture, which it slowly forgets.
    private var longest = 0.0
    private var hasMoved = false

    private static let pause = Duration.seconds(1)
    /// After a longer time without frames, as of a hidden tile, nobody knows what the source has sent meanwhile.
    private static let longestGap = Duration.seconds(5)
    /// A repetition of an hour is forgotten in about as long.
    private static let memory = 0.9997

    /// Notes a new frame.
    mutating func note(_ frame: VideoFrame, at arrival: MonotonicTime) {
        if let begun {
            self.begun = nil
            let isStill = next.take(frame) && next.hash == picture.hash
            finish(isStill, at: begun)
        } else if lookedAt.map({ arrival - $0 >= Self.pause }) ?? true {
            if picture.take(frame) {
                begun = arrival
            } else {
                (lastHash, since, lookedAt) = (nil, nil, arrival)
            }
        }
    }

    private mutating func finish(_ isStill: Bool, at time: MonotonicTime) {
        let isGap = lookedAt.map { time - $0 > Self.longestGap } ?? false
        let isEqual = picture.hash == lastHash
        let isSame = isEqual || (isStill || !wasForgiven) && lastHash != nil && picture.isClose(to: reference)
        let hash = picture.hash
        defer { (lastHash, lookedAt) = (hash, time) }
        if isSame, since != nil, !isGap {
            wasForgiven = !isEqual && !isStill
            return
        }
        if let since, let lookedAt, !isGap {
            longest = max(longest * Self.memory, (lookedAt - since) / .seconds(1))
            hasMoved = true
        }
        (since, wasForgiven) = (time, false)
        swap(&reference, &picture)
    }

    /// Forgets everything, as after another connection.
    mutating func forget() { self = PictureRepeats() }

    /// From when on the picture counts as frozen; `nil` if it does not as far as is known.
    func frozenTime(after least: Duration) -> MonotonicTime? {
        guard hasMoved, let since, let lookedAt, lookedAt > since else { return nil }
        let time = since + max(least, .seconds(3 * longest))
        return time <= lookedAt ? time : nil
    }
}

/// Keeps a live stream from falling behind when it arrives faster than it can be decoded.
///
/// A reader that keeps up waits for data again and again. One that does not has data waiting for it: then frames are left
/// out by the ``LatenessRule``, and if that does not suffice, all that has arrived by then.
struct LiveLag {
    /// Data was waited for once all waits together are this long; shorter ones may be the scheduler's.
    static let wait = Duration.milliseconds(5)
    /// For how long no data may be waited for until what has arrived is left out.
    static let longest = Duration.seconds(1)

    private var rule = LatenessRule()
    /// How long the reader had waited when it had last waited for long enough, and when that was.
    private var last: (waited: Duration, time: MonotonicTime)?

    /// Notes that the reader has delivered a frame, and has it leave out others if need be.
    ///
    /// - Parameters:
    ///   - reader: the reader.
    ///   - now: the present time.
    /// - Returns: whether the reader leaves out frames.
    mutating func note(_ reader: any FrameReader, now: MonotonicTime) -> Bool {
        guard let waited = reader.timeWaited else { return false }
        let begin: MonotonicTime
        if let last, waited - last.waited < Self.wait {
            begin = last.time
        } else {
            last = (waited, now)
            begin = now
        }
        let wasOmitting = rule.isOmitting
        if rule.note(now - begin, now: now) { reader.setOmitting(rule.isOmitting) }
        if now - begin >= Self.longest {
            reader.catchUp()
            last = (waited, now)
        }
        return wasOmitting
    }
}

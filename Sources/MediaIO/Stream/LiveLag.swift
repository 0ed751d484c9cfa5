/// Keeps a live stream from falling behind when it arrives faster than it can be decoded.
///
/// A reader that keeps up waits for data again and again; one that falls behind finds data ready every time. Frames are
/// then left out by the ``LatenessRule``; if that is not enough, everything that has arrived by then is skipped.
struct LiveLag {
    /// A reader counts as waiting once its waits add up to this; shorter ones may be the scheduler's.
    static let wait = Duration.milliseconds(5)
    /// After this time without waiting, everything that has arrived is skipped.
    static let longest = Duration.seconds(1)

    private var rule = LatenessRule()
    /// The reader's total wait when it last counted as waiting, and the time at which it did.
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

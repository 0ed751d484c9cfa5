/// Decides when a reader leaves out frames because they are ready too late, or because data has been waiting for it.
///
/// * Frames that are late by more than 100 ms for a quarter of a second are too late: from then on, those that no other
///   frame is decoded from are left out.
/// * Once all frames have been in time for a second, none is left out any more. If frames are too late again soon
///   afterwards, they must be in time for twice as long the next time, up to 16 s.
struct LatenessRule {
    static let tolerance = Duration.milliseconds(100)
    static let delay = Duration.milliseconds(250)
    static let patience = (shortest: Duration.seconds(1), longest: Duration.seconds(16))

    /// Whether frames are left out.
    private(set) var isOmitting = false
    /// Since when all frames are too late, or while frames are left out, since when all are in time.
    private var since: MonotonicTime?
    private var patience = Self.patience.shortest
    /// When frames were last left out.
    private var lastEnd: MonotonicTime?

    /// Notes that a frame is ready.
    ///
    /// - Parameters:
    ///   - lateness: how late the frame is for being shown, negative if early; or how long data has been waiting.
    ///   - now: the present time.
    /// - Returns: whether ``isOmitting`` has changed.
    mutating func note(_ lateness: Duration, now: MonotonicTime) -> Bool {
        guard (lateness > Self.tolerance) != isOmitting else {
            since = nil
            return false
        }
        let begin = since ?? now
        since = begin
        guard now - begin >= (isOmitting ? patience : Self.delay) else { return false }
        since = nil
        isOmitting.toggle()
        if isOmitting {
            let isSoon = lastEnd.map { now - $0 < patience * 4 } ?? false
            patience = isSoon ? min(patience * 2, Self.patience.longest) : Self.patience.shortest
        } else {
            lastEnd = now
        }
        return true
    }

    /// Forgets since when frames are late or in time, as after a pause.
    mutating func restart() { since = nil }
}

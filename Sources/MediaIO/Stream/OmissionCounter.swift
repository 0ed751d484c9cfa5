/// Counts the frames that a reader has left out, by the times of those that it has delivered.
struct OmissionCounter {
    private var last: Duration?

    /// Notes a frame.
    ///
    /// - Parameters:
    ///   - time: its presentation time.
    ///   - frameRate: the stream's frames per second; `nil` if unknown.
    /// - Returns: how many frames are missing before it.
    mutating func note(_ time: Duration, frameRate: Rational?) -> Int {
        defer { last = time }
        guard let last, let frameDuration = frameRate?.time(ofFrame: 1), frameDuration > .zero,
            time - last < PresentationPacer.longestStep
        else { return 0 }
        return max(0, Int(((time - last) / frameDuration).rounded()) - 1)
    }

    /// Forgets the last frame: a gap before the next one does not mean that frames were left out for lack of time.
    mutating func restart() { last = nil }
}

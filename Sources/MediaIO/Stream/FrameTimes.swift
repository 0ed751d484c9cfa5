/// The times of a stream's frames, also of those that say none.
///
/// A frame without a presentation time is shown one frame's length after the one before it, the first one at zero. The
/// length follows from the frame rate; without one it is 40 ms.
public struct FrameTimes: Hashable, Sendable {
    /// Frames per second where nothing is known.
    public static let assumedRate = Rational(25)

    private let frameRate: Rational
    // The last time that was said, and how many frames came after it: multiplied rather than summed up, because a third
    // of a second has no exact number of nanoseconds.
    private var base: Duration?
    private var count = 0

    /// Starts before the first frame.
    ///
    /// - Parameter frameRate: of the stream, as ``StreamInfo/frameRate`` has it.
    public init(frameRate: Rational?) { self.frameRate = frameRate ?? Self.assumedRate }

    /// When the next frame is shown.
    ///
    /// - Parameter frame: called once for each, in order.
    /// - Returns: the frame's own time where it says one.
    public mutating func time(of frame: VideoFrame) -> Duration {
        if let time = frame.presentationTime {
            (base, count) = (time, 0)
            return time
        }
        guard let base else {
            base = .zero
            return .zero
        }
        count += 1
        return base + frameRate.time(ofFrame: count)
    }

    /// Forgets the frames so far: the next one is the first again.
    public mutating func reset() { (base, count) = (nil, 0) }
}

/// The presentation times of a stream's frames, including those without one.
///
/// A frame without a presentation time is shown one frame duration after the previous one, the first one at zero. The
/// frame duration follows from the frame rate; without one it is 40 ms.
public struct FrameTimes: Hashable, Sendable {
    /// The frame rate to assume if it is unknown.
    public static let assumedRate = Rational(25)

    private let frameRate: Rational
    // The last stated time, and the number of frames after it: multiplied rather than summed up, because a third
    // of a second has no exact number of nanoseconds.
    private var base: Duration?
    private var count = 0

    /// Starts before the first frame.
    ///
    /// - Parameter frameRate: the stream's ``StreamInfo/frameRate``.
    public init(frameRate: Rational?) { self.frameRate = frameRate ?? Self.assumedRate }

    /// Returns the presentation time of the next frame.
    ///
    /// - Parameter frame: the next frame; each must be passed once, in order.
    /// - Returns: the frame's own time, if it has one.
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

    /// Forgets all frames: the next one is the first again.
    public mutating func reset() { (base, count) = (nil, 0) }
}

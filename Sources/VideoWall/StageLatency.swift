import MediaIO

/// How long each stage took that frames of a live stream went through, from their capture to the screen.
///
/// Only frames count that were reported by ``Wall/notePresented()``, and stages whose times are known.
public struct StageLatency: Sendable {
    /// From the capture to the arrival: the sender and the network, by the sender's clock.
    public private(set) var receive = FrameLatency()
    /// Decoding, with what the decoder waited for: packets of other pictures.
    public private(set) var decode = FrameLatency()
    /// The rest until the wall took it: the playout delay, other pictures in front of it, and what the wall drew meanwhile.
    public private(set) var wait = FrameLatency()
    /// From then until it was drawn.
    public private(set) var draw = FrameLatency()
    /// From then until the window system had it.
    public private(set) var screen = FrameLatency()
    /// From the capture to the screen, or from the arrival if the capture is not known.
    public private(set) var total = FrameLatency()

    /// Creates a count of no frames.
    public init() {}

    /// Counts a frame.
    ///
    /// - Parameters:
    ///   - timing: when it was captured and received, and what decoding took.
    ///   - taken: when the wall took it.
    ///   - drawn: when it was drawn.
    ///   - presented: when the window system had it.
    mutating func note(
        _ timing: FrameTiming, taken: MonotonicTime, drawn: MonotonicTime, presented: MonotonicTime
    ) {
        guard let arrival = timing.arrival else { return }
        if let capture = timing.capture { receive.note(arrival - capture) }
        if let decoding = timing.decoding { decode.note(decoding) }
        wait.note(max(taken - arrival - (timing.decoding ?? .zero), .zero))
        draw.note(drawn - taken)
        screen.note(presented - drawn)
        total.note(presented - (timing.capture ?? arrival))
    }

    /// The frames since an earlier state of this count.
    public func since(_ earlier: StageLatency) -> StageLatency {
        var rest = StageLatency()
        rest.receive = receive.since(earlier.receive)
        rest.decode = decode.since(earlier.decode)
        rest.wait = wait.since(earlier.wait)
        rest.draw = draw.since(earlier.draw)
        rest.screen = screen.since(earlier.screen)
        rest.total = total.since(earlier.total)
        return rest
    }
}

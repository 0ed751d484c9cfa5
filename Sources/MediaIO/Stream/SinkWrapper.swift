/// A sink in front of another one that converts frames to what the other sink asks for.
public protocol SinkWrapper: VideoSink {
    /// The other sink.
    var sink: any VideoSink { get }

    /// What became of the frames so far.
    var statistics: ConversionStatistics { get }
}

/// What a sink in front of another one did with frames.
public struct ConversionStatistics: Hashable, Sendable {
    /// Frames that were passed on as they came.
    public var passed: Int
    /// Frames that were converted, or copied into other memory.
    public var converted: Int
    /// Frames that could not be converted.
    public var dropped: Int
    /// Encoded packets for a sink of pictures, or pictures for a sink of packets.
    public var skipped: Int
    /// Why a frame was dropped, or why nothing was passed on yet, and what to do; `nil` if there is no problem.
    public var problem: String?

    /// Creates counts.
    public init(passed: Int = 0, converted: Int = 0, dropped: Int = 0, skipped: Int = 0, problem: String? = nil) {
        (self.passed, self.converted, self.dropped, self.skipped) = (passed, converted, dropped, skipped)
        self.problem = problem
    }
}

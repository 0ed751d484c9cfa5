/// A sink made of a closure.
///
///     let stream = VideoStream(source: camera, sinks: [FrameHandler { frame in analyse(frame) }])
///
/// **Thread:** the closures run on the source's capture thread, one call at a time, and must return soon.
public final class FrameHandler: VideoSink {
    /// What is wanted of the frames.
    public let demand: SinkDemand?
    /// The kind of memory that frames are taken in.
    public let bufferKind: BufferKind?
    /// The formats that are taken, best first.
    public let pixelFormats: [PixelFormat]
    private let frame: @Sendable (VideoFrame) -> Void
    private let condition: @Sendable (SourceCondition) -> Void

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - wants: the size and rate that are wanted.
    ///   - bufferKind: the kind of memory that is asked for; `nil` for any.
    ///   - pixelFormats: the formats that are asked for, best first; empty for all.
    ///   - onCondition: gets the conditions of the source.
    ///   - onFrame: gets the frames.
    public init(
        wants: VideoSinkWants = .everything, bufferKind: BufferKind? = nil, pixelFormats: [PixelFormat] = [],
        onCondition: @escaping @Sendable (SourceCondition) -> Void = { _ in },
        onFrame: @escaping @Sendable (VideoFrame) -> Void
    ) {
        demand = wants == .everything ? nil : SinkDemand(wants)
        self.bufferKind = bufferKind
        self.pixelFormats = pixelFormats
        (frame, condition) = (onFrame, onCondition)
    }

    /// Passes the frame on to the closure.
    public func consume(_ frame: VideoFrame) { self.frame(frame) }

    /// Passes the condition on to the closure.
    public func sourceDidChange(_ condition: SourceCondition) { self.condition(condition) }
}

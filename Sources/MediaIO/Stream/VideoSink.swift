/// A destination of frames: a consumer with the life cycle of ``StreamLifecycle``.
///
/// **Thread:** the four steps are called one at a time, never while ``VideoFrameConsumer/consume(_:)`` runs.
public protocol VideoSink: VideoFrameConsumer {
    /// The kind of memory that the sink takes frames in, always the same; `nil` for any.
    ///
    /// A `VideoEngine` honours this and ``pixelFormats``: it converts what it must. In a ``VideoStream`` of your own,
    /// wrap the sink in a `ConvertingSink`.
    ///
    /// **Thread:** any.
    var bufferKind: BufferKind? { get }

    /// The pixel formats that the sink takes, best first, always the same; empty for all.
    ///
    /// **Thread:** any.
    var pixelFormats: [PixelFormat] { get }

    /// What the sink wants, always the same object; `nil` for a sink that takes all frames.
    ///
    /// **Thread:** any.
    var demand: SinkDemand? { get }

    /// Acquires the resources.
    ///
    /// A failure leaves the sink unchanged.
    func initialize() throws(StreamError)

    /// Called after the last frame of a source that is replaced by another one, whose frames follow.
    ///
    /// A sink that keeps a frame to show it later drops that frame, and continues to show the current one.
    func sourceDidSwitch()

    /// Called before frames arrive.
    func start() throws(StreamError)

    /// Called after the last frame, until it is started again.
    func stop()

    /// Releases all resources.
    func dispose()
}

extension VideoSink {
    /// `nil`: the sink takes frames in any memory.
    public var bufferKind: BufferKind? { nil }

    /// Empty: the sink takes all formats.
    public var pixelFormats: [PixelFormat] { [] }

    /// `nil`: the sink takes all frames.
    public var demand: SinkDemand? { nil }

    /// Does nothing, for sinks that keep no frame.
    public func sourceDidSwitch() {}

    /// Does nothing.
    public func initialize() throws(StreamError) {}

    /// Does nothing.
    public func start() throws(StreamError) {}

    /// Does nothing.
    public func stop() {}

    /// Does nothing, for sinks without resources.
    public func dispose() {}
}

/// A destination of frames: a consumer with the life cycle of ``StreamLifecycle``.
///
/// **Thread:** the four steps are called one at a time, never while ``VideoFrameConsumer/consume(_:)`` runs.
public protocol VideoSink: VideoFrameConsumer {
    /// Acquires the resources.
    ///
    /// A failure leaves the sink unchanged.
    func initialize() throws(StreamError)

    /// Called before frames arrive.
    func start() throws(StreamError)

    /// Called after the last frame, until it is started again.
    func stop()

    /// Releases all resources.
    func dispose()
}

extension VideoSink {
    /// Needs nothing.
    public func initialize() throws(StreamError) {}

    /// Needs nothing.
    public func start() throws(StreamError) {}

    /// Does nothing.
    public func stop() {}

    /// Does nothing, for sinks without resources.
    public func dispose() {}
}

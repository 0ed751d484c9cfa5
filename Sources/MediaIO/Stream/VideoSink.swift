/// A destination of frames: a consumer with the life cycle of ``StreamLifecycle``.
///
/// **Thread:** the four steps are called one at a time, never while ``VideoFrameConsumer/consume(_:)`` runs.
public protocol VideoSink: VideoFrameConsumer {
    /// Where the sink says what it wants, always the same one; `nil` for a sink that takes whatever there is.
    ///
    /// **Thread:** any.
    var demand: SinkDemand? { get }

    /// Takes hold of what is needed.
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
    /// Takes whatever there is.
    public var demand: SinkDemand? { nil }

    /// Needs nothing.
    public func initialize() throws(StreamError) {}

    /// Needs nothing.
    public func start() throws(StreamError) {}

    /// Does nothing.
    public func stop() {}

    /// Does nothing, for sinks without resources.
    public func dispose() {}
}

/// Where frames go: a consumer with a life of its own, in the order of ``StreamLifecycle``.
///
/// **Thread:** the four steps are called one at a time, never while ``VideoFrameConsumer/consume(_:)`` runs.
public protocol VideoSink: VideoFrameConsumer {
    /// Where the sink says what it wants, always the same one; `nil` for a sink that takes whatever there is.
    ///
    /// **Thread:** any.
    var demand: SinkDemand? { get }

    /// Takes hold of what is needed.
    ///
    /// A failure leaves the sink as it was.
    func initialize() throws(StreamError)

    /// Hears that frames will come.
    func start() throws(StreamError)

    /// Hears that no more frames will come until it is started again.
    func stop()

    /// Lets go of everything.
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

    /// Holds nothing.
    public func dispose() {}
}

/// A source of frames, with the life cycle of ``StreamLifecycle``.
///
/// Every source promises: *when ``stop()`` returns, no call to the consumer is running and none will come* until it is
/// started again; after ``dispose()`` it retains nothing, not even the consumer.
///
/// **Thread:** the four steps are called one at a time, from any thread but the one that calls the consumer.
public protocol VideoSource: AnyObject, Sendable {
    /// The name to display on its tile.
    var name: String { get }

    /// Acquires the resources: opens the file or device.
    ///
    /// A failure leaves the source unchanged.
    func initialize(consumer: any VideoFrameConsumer) throws(StreamError)

    /// Starts the flow of frames to the consumer.
    func start() throws(StreamError)

    /// Stops the flow of frames; it may be started again, and then resumes.
    func stop()

    /// Releases all resources.
    func dispose()

    /// Hears what is wanted of its frames from now on; until then, everything.
    ///
    /// What is wanted saves work and promises nothing: frames that are larger or more are no error. A source that stands
    /// still while nobody looks goes on within a frame's length when somebody does again. Returns soon and calls nobody
    /// back: the caller may be the thread that draws.
    ///
    /// **Thread:** any, one call at a time; at any time from ``initialize(consumer:)`` on, and perhaps once more after
    /// ``dispose()``, where it does nothing. **Cost:** rare.
    func adapt(to wants: VideoSinkWants)
}

extension VideoSource {
    /// Does nothing: the sinks get what there is.
    public func adapt(to wants: VideoSinkWants) {}
}

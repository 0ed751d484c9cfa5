/// Where frames come from: the order of calls is ``StreamLifecycle``'s.
///
/// Whoever writes a source promises: *when ``stop()`` returns, no call to the consumer is running and none will come*
/// until it is started again; after ``dispose()`` nothing is held, the consumer included.
///
/// **Thread:** the four steps are called one at a time, from any thread but the one that calls the consumer.
public protocol VideoSource: AnyObject, Sendable {
    /// What people call it: shown on its tile.
    var name: String { get }

    /// Takes hold of what is needed: opens the file or device.
    ///
    /// A failure leaves the source as it was.
    func initialize(consumer: any VideoFrameConsumer) throws(StreamError)

    /// Lets frames flow to the consumer.
    func start() throws(StreamError)

    /// Lets no more frames flow; they may be started again, and go on where they were.
    func stop()

    /// Lets go of everything.
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

/// A source of frames, with the life cycle of ``StreamLifecycle``.
///
/// Every source promises: *when ``stop()`` returns, no call to the consumer is running and none will come* until it is
/// started again; after ``dispose()`` it retains nothing, not even the consumer.
///
/// **Thread:** the four steps are called one at a time, from any thread but the one that calls the consumer.
public protocol VideoSource: AnyObject, Sendable {
    /// The name to display on its tile.
    var name: String { get }

    /// The kind of memory of all its frames; `nil` if it differs from frame to frame or is not known in advance.
    var bufferKind: BufferKind? { get }

    /// What matters in its pictures.
    var contentHint: VideoContentHint { get }

    /// Where its pictures come from.
    var captureType: VideoCaptureType { get }

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

    /// Sets what is wanted of the frames from now on; before the first call, everything is wanted.
    ///
    /// Wants only save work: to deliver larger or more frames is not an error. A source that pauses while it is not
    /// visible must resume within one frame duration when it becomes visible. This call must return soon and must not
    /// call the consumer: the caller may be the render thread.
    ///
    /// **Thread:** any, one call at a time; at any time after ``initialize(consumer:)``, and perhaps once more after
    /// ``dispose()``, when it must do nothing. **Cost:** rare.
    func adapt(to wants: VideoSinkWants)

    /// Asks for a packet that decoding can begin with, as soon as possible.
    ///
    /// **Thread:** any, but not from within a call to the consumer; while the source is not started it does nothing.
    func requestKeyFrame()
}

extension VideoSource {
    /// `nil`: any.
    public var bufferKind: BufferKind? { nil }

    /// ``VideoContentHint/unspecified``.
    public var contentHint: VideoContentHint { .unspecified }

    /// ``VideoCaptureType/unknown``.
    public var captureType: VideoCaptureType { .unknown }

    /// Does nothing: the sinks get all frames unchanged.
    public func adapt(to wants: VideoSinkWants) {}

    /// Does nothing, for sources whose pictures do not depend on each other, and those that cannot ask.
    public func requestKeyFrame() {}
}

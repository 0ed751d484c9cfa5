public import MediaIO

/// Is told when frames of a channel are needed: ZEGO's `ZegoCustomVideoCaptureHandler`.
///
/// **Thread:** the calls come one at a time, from a thread of their own, so that they may take long and may call the
/// engine.
public protocol CustomCaptureHandler: AnyObject, Sendable {
    /// Preview or publishing has begun: push frames from now on.
    func onStart(_ channel: PublishChannel)

    /// Both have ended: stop capturing.
    func onStop(_ channel: PublishChannel)
}

/// The source of a channel whose frames the program captures itself: push mode.
///
///     let capture = try engine.channel(.main).enableCustomCapture()
///     capture.push(frame)  // any thread
///
/// What is pushed while neither preview nor publishing runs is refused, with what to do.
///
/// **Thread:** any.
public final class CustomCapture: VideoSource {
    private let source: PushSource
    private let channel: PublishChannel
    private let handler: (any CustomCaptureHandler)?
    private let callbacks: Callbacks
    private let state = Monitor(DeviceState.open)
    /// What the handler was told.
    private enum Told { case nothing, start, startLater }
    private let told = Monitor(Told.nothing)
    private let waits = Monitor(false)
    private let onDevice: @Sendable (DeviceState) -> Void

    init(
        _ channel: PublishChannel, _ source: PushSource, _ handler: (any CustomCaptureHandler)?,
        _ callbacks: Callbacks, onDevice: @escaping @Sendable (DeviceState) -> Void
    ) {
        (self.channel, self.source, self.handler) = (channel, source, handler)
        (self.callbacks, self.onDevice) = (callbacks, onDevice)
    }

    /// The name to display.
    public var name: String { source.name }
    /// The kind of memory that frames are pushed in; `nil` for any.
    public var bufferKind: BufferKind? { source.bufferKind }
    /// What matters in the pictures.
    public var contentHint: VideoContentHint { source.contentHint }
    /// Where the pictures come from.
    public var captureType: VideoCaptureType { source.captureType }
    /// What the sinks want; check it before you make a frame.
    public var wants: VideoSinkWants { source.wants }

    /// Delivers a frame, which is retained until all sinks have released it.
    ///
    /// - Returns: whether it was delivered, or why not and what to do.
    @discardableResult
    public func push(_ frame: VideoFrame) -> PushSource.PushResult { source.push(frame) }

    /// Copies a frame from memory that is valid only during the call, and delivers the copy.
    ///
    /// - Parameters:
    ///   - bytes: the samples; the planes follow each other.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame; it may differ from frame to frame, as the format may.
    ///   - bytesPerRow: the stride of each plane; by default without padding.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - rotation: the rotation that the sink applies.
    /// - Returns: whether it was delivered, or why not and what to do.
    /// - Throws: what ``PushSource`` throws for memory that cannot be a frame, before anything is read.
    @discardableResult
    public func push(
        copying bytes: UnsafeRawBufferPointer, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        presentationTime: Duration? = nil, rotation: VideoRotation = .upright
    ) throws(StreamError) -> PushSource.PushResult {
        try source.push(
            copying: bytes, format: format, size: size, bytesPerRow: bytesPerRow, presentationTime: presentationTime,
            rotation: rotation)
    }

    /// The state of the device, ``DeviceState/open`` at first; setting it tells the sinks and the engine's owner.
    public var deviceState: DeviceState {
        get { state.withLock { $0 } }
        set {
            state.withLock { $0 = newValue }
            source.report(newValue.condition)
            onDevice(newValue)
        }
    }

    // MARK: VideoSource

    /// Takes the consumer; called by the channel.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try source.initialize(consumer: consumer)
    }

    /// Accepts frames, and tells the handler; called by the channel.
    public func start() throws(StreamError) {
        try source.start()
        let isLater = waits.withLock { $0 }
        told.withLock { $0 = isLater ? .startLater : .start }
        if !isLater { callbacks.post { [handler, channel] in handler?.onStart(channel) } }
        let state = deviceState
        if state != .open { source.report(state.condition) }
    }

    /// Refuses frames, and tells the handler; called by the channel.
    public func stop() {
        source.stop()
        // Stopping may be repeated.
        let last = told.withLock { told in
            defer { told = .nothing }
            return told
        }
        if last == .start { callbacks.post { [handler, channel] in handler?.onStop(channel) } }
    }

    /// Takes the place of another source: the handler is told to start after that one's was told to stop, since it may be
    /// the same.
    func replacing<Failure: Error>(_ replace: () throws(Failure) -> Void) throws(Failure) {
        waits.withLock { $0 = true }
        defer {
            waits.withLock { $0 = false }
            let isDue = told.withLock { told in
                guard told == .startLater else { return false }
                told = .start
                return true
            }
            if isDue { callbacks.post { [handler, channel] in handler?.onStart(channel) } }
        }
        try replace()
    }

    /// Releases the consumer; called by the channel.
    public func dispose() { source.dispose() }

    /// Stores the wants in ``wants``.
    public func adapt(to wants: VideoSinkWants) { source.adapt(to: wants) }
}

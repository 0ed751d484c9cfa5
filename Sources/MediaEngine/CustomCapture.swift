public import MediaIO

/// Learns when a channel needs frames and when it does not: ZEGO's `ZegoCustomVideoCaptureHandler`.
///
/// **Thread:** a thread of its own, one call at a time. The calls may take long, and may call the engine.
public protocol CustomCaptureHandler: AnyObject, Sendable {
    /// Preview or publishing has begun: push frames from now on.
    ///
    /// - Parameter stream: the channel.
    func streamDidStart(_ stream: StreamID)

    /// Both have ended: stop capturing.
    ///
    /// - Parameter stream: the channel.
    func streamDidStop(_ stream: StreamID)

    /// Whoever receives pushed packets needs a key frame, because one was lost or a sink has joined: have your encoder
    /// make one. Optional.
    ///
    /// It comes only between ``streamDidStart(_:)`` and ``streamDidStop(_:)``.
    ///
    /// - Parameter stream: the channel.
    func streamNeedsKeyFrame(_ stream: StreamID)
}

extension CustomCaptureHandler {
    /// Does nothing, which suits handlers that push no packets.
    public func streamNeedsKeyFrame(_ stream: StreamID) {}
}

/// The source of a channel into which the program pushes frames that it captures itself: push mode.
///
///     let capture = try engine.channel(.main).enableCustomCapture()
///     capture.push(frame)  // any thread
///
/// While neither preview nor publishing runs, pushes are refused; the result says what to do.
///
/// **Thread:** any.
public final class CustomCapture: VideoSource {
    private let source: PushSource
    private let stream: StreamID
    private let handler: (any CustomCaptureHandler)?
    private let callbacks: Callbacks
    private let onDevice: @Sendable (DeviceState) -> Void
    private let notices = Monitor(Notices())
    private let device = Monitor(Device())

    /// What the handler was told.
    ///
    /// Calls are posted while it is locked, so that they come in the order in which the source was started and stopped.
    private struct Notices {
        enum Told { case nothing, start, startLater }
        var told = Told.nothing
        var isReplacing = false
        /// Whether a key frame was asked for before the handler was told of the start.
        var needsKeyFrame = false
    }

    /// The state of the device, and whether the sinks know it.
    private struct Device {
        var state = DeviceState.open
        var isNews = false
        var isTelling = false
    }

    init(
        _ stream: StreamID, _ source: PushSource, _ handler: (any CustomCaptureHandler)?,
        _ callbacks: Callbacks, onDevice: @escaping @Sendable (DeviceState) -> Void
    ) {
        (self.stream, self.source, self.handler) = (stream, source, handler)
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
        get { device.withLock { $0.state } }
        set {
            device.withLock { device in
                (device.state, device.isNews) = (newValue, true)
                onDevice(newValue)
            }
            tellSinks()
        }
    }

    /// Tells the sinks the newest state; if another thread is doing so, leaves it to that one.
    private func tellSinks() {
        let isMine = device.withLock { device in
            defer { device.isTelling = true }
            return !device.isTelling
        }
        guard isMine else { return }
        while let state = device.withLock({ Self.takeNews(&$0) }) {
            guard source.report(state.condition) == .withinDelivery else { continue }
            // A sink has set it from within its own call: it is told after that call.
            callbacks.post { [weak self] in self?.tellSinksAgain() }
        }
    }

    private func tellSinksAgain() {
        device.withLock { $0.isNews = true }
        tellSinks()
    }

    private static func takeNews(_ device: inout Device) -> DeviceState? {
        guard device.isNews else {
            device.isTelling = false
            return nil
        }
        device.isNews = false
        return device.state
    }

    // MARK: VideoSource

    /// Takes the consumer; called by the channel.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try source.initialize(consumer: consumer)
    }

    /// Accepts frames, and tells the handler; called by the channel.
    public func start() throws(StreamError) {
        try notices.withLock { (notices) throws(StreamError) in
            try source.start()
            // The thread that stopped it before may not have told the handler yet.
            postStop(&notices)
            notices.told = .startLater
            if !notices.isReplacing { tellStart(&notices) }
        }
        if deviceState != .open { tellSinksAgain() }
    }

    /// Refuses frames, and tells the handler; called by the channel.
    public func stop() {
        source.stop()
        notices.withLock { tellStop(&$0) }
    }

    /// Tells the handler that the source was started, unless it knows.
    private func tellStart(_ notices: inout Notices) {
        guard notices.told == .startLater else { return }
        notices.told = .start
        callbacks.post { [handler, stream] in handler?.streamDidStart(stream) }
        if notices.needsKeyFrame { postKeyFrame(&notices) }
    }

    private func postKeyFrame(_ notices: inout Notices) {
        notices.needsKeyFrame = false
        callbacks.post { [handler, stream] in handler?.streamNeedsKeyFrame(stream) }
    }

    /// Tells the handler that the source was stopped, if it was and the handler does not know.
    private func tellStop(_ notices: inout Notices) {
        if !source.isStarted { postStop(&notices) }
    }

    private func postStop(_ notices: inout Notices) {
        if notices.told == .start { callbacks.post { [handler, stream] in handler?.streamDidStop(stream) } }
        (notices.told, notices.needsKeyFrame) = (.nothing, false)
    }

    /// Takes the place of another source.
    ///
    /// Both may have the same handler, which must be told that the old one has stopped before the new one has started.
    func replacing<Failure: Error>(_ replace: () throws(Failure) -> Void) throws(Failure) {
        notices.withLock { $0.isReplacing = true }
        defer {
            notices.withLock { notices in
                notices.isReplacing = false
                tellStart(&notices)
            }
        }
        try replace()
    }

    /// Releases the consumer; called by the channel.
    public func dispose() {
        source.dispose()
        notices.withLock { tellStop(&$0) }
    }

    /// Tells the handler, while the source is started: after the start, and before the stop.
    public func requestKeyFrame() {
        notices.withLock { notices in
            switch notices.told {
            case .nothing: break
            case .startLater: notices.needsKeyFrame = true
            case .start: postKeyFrame(&notices)
            }
        }
    }

    /// Stores the wants in ``wants``.
    public func adapt(to wants: VideoSinkWants) { source.adapt(to: wants) }
}

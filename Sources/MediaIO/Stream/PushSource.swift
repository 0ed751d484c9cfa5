internal import Synchronization

/// A source that frames are pushed into: by a camera of your own, an SDK's callback, a test.
///
///     let source = PushSource(name: "door")
///     let stream = VideoStream(source: source, sinks: [mailbox])
///     try await stream.open()
///     source.push(frame)  // any thread
///
/// It keeps the promise of sources: when ``stop()`` returns, no call to the consumer is running and none will come,
/// whatever is pushed. `stop()` from within the consumer's own call does not wait: that call is then the last.
///
/// **Thread:** any; the consumer gets one call at a time, on the threads that push.
public final class PushSource: VideoSource {
    /// The result of a push.
    public enum PushResult: Hashable, Sendable, CustomStringConvertible {
        /// The consumer received it.
        case delivered
        /// The source is not started, or was stopped before the push was delivered.
        case notStarted
        /// It was pushed from within the consumer's own call, when the consumer cannot receive another.
        case withinDelivery
        /// Its presentation time is earlier than that of the frame before it.
        case outOfOrder
        /// The source was made for another kind of memory, which is given.
        case wrongKind(BufferKind)

        /// What happened, and what to do next.
        public var description: String {
            switch self {
            case .delivered: "The frame was delivered."
            case .notStarted: "The source is not started, so the frame was dropped: start it, or its stream, first."
            case .withinDelivery:
                "A sink pushed a frame from within its own call, so it was dropped: push it after the call returns."
            case .outOfOrder:
                "The frame's presentation time is earlier than that of the frame before it, so it was dropped: push "
                    + "frames in the order in which they are shown."
            case .wrongKind(let kind):
                "The source was made for frames in memory of the kind \(kind.rawValue), so this one was dropped: push "
                    + "that kind, or make the source without a kind."
            }
        }
    }

    /// The name to display.
    public var name: String { life.name }
    /// The kind of memory that frames are pushed in; `nil` for any.
    public let bufferKind: BufferKind?
    /// What matters in the pictures.
    public let contentHint: VideoContentHint
    /// Where the pictures come from.
    public let captureType: VideoCaptureType

    private let life: SourceLife
    private let pool = PixelBufferPool()
    /// Used only while a frame is delivered, which is by one thread at a time.
    private nonisolated(unsafe) var order = FrameOrder()
    /// Whether it was started since the last frame.
    private let isNew = Atomic(true)

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - bufferKind: the kind of memory that frames are pushed in, so that others are refused; `nil` for any.
    ///   - contentHint: what matters in the pictures.
    ///   - captureType: where they come from.
    public init(
        name: String, bufferKind: BufferKind? = nil, contentHint: VideoContentHint = .none,
        captureType: VideoCaptureType = .unknown
    ) {
        life = SourceLife(name: name)
        (self.bufferKind, self.contentHint, self.captureType) = (bufferKind, contentHint, captureType)
    }

    /// Delivers a frame to the consumer, after a running push of another thread.
    ///
    /// A frame whose presentation time is earlier than that of the one before it came too late, and is dropped. If the next
    /// one is, too, the sender's clock was set back, and frames are delivered from then on. Packets come in the order in
    /// which they are decoded, and are always delivered.
    ///
    /// **Cost:** every frame; one short lock, no allocation.
    ///
    /// - Returns: whether the consumer received it, or why not.
    @discardableResult
    public func push(_ frame: VideoFrame) -> PushResult {
        if let bufferKind, !frame.image.isOf(bufferKind) { return .wrongKind(bufferKind) }
        var isInOrder = true
        let result = pass { consumer in
            // One call at a time is made here.
            if isNew.exchange(false, ordering: .relaxed) { order = FrameOrder() }
            isInOrder = order.admit(frame)
            if isInOrder { consumer.consume(frame) }
        }
        return isInOrder ? result : .outOfOrder
    }

    /// Copies a frame from memory that is valid only during the call, and delivers the copy.
    ///
    /// **Cost:** every frame; one copy, one short lock, and no allocation once as many buffers exist as are in use. While
    /// the source is not started nothing is copied.
    /// - Parameters:
    ///   - bytes: the samples; the planes follow each other.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame; it may differ from frame to frame, as the format may.
    ///   - bytesPerRow: the stride of each plane, at least the bytes of its samples; by default without padding.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - rotation: the rotation that the sink applies.
    /// - Returns: whether the consumer received it, or why not.
    /// - Throws: what ``VideoFrame/init(copying:format:size:bytesPerRow:presentationTime:rotation:pool:)`` throws, before
    ///   anything is read.
    @discardableResult
    public func push(
        copying bytes: UnsafeRawBufferPointer, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        presentationTime: Duration? = nil, rotation: VideoRotation = .upright
    ) throws(StreamError) -> PushResult {
        let layout = try RawFrameLayout(format, size: size, bytesPerRow: bytesPerRow)
        try layout.validate(length: bytes.count)
        if let bufferKind, bufferKind != .rawData, bufferKind != .pixelBuffer { return .wrongKind(bufferKind) }
        // The memory is not in use before the source is started, and the frame would be dropped.
        guard life.gate.isOpen else { return .notStarted }
        let frame = try VideoFrame(
            copying: bytes, layout, attributes: FrameAttributes(rotation: rotation),
            presentationTime: presentationTime, pool: pool)
        return push(frame)
    }

    /// Reports a condition to the consumer.
    ///
    /// - Returns: whether the consumer received it, or why not.
    @discardableResult
    public func report(_ condition: SourceCondition) -> PushResult { pass { $0.sourceDidChange(condition) } }

    private func pass(_ call: (any VideoFrameConsumer) -> Void) -> PushResult {
        let passage = life.gate.pass { target in
            if let consumer = target.consumer { call(consumer) }
        }
        return switch passage {
        case .passed: .delivered
        case .closed, .ended, .changed: .notStarted
        case .nested: .withinDelivery
        }
    }

    /// What the sinks want; check it before you make a frame.
    public var wants: VideoSinkWants { life.gate.target.wants }

    /// Stores the wants in ``wants``; every pushed frame is still delivered.
    public func adapt(to wants: VideoSinkWants) {
        life.adapt(to: wants)
        pool.memory = wants.memory
    }

    /// Takes the consumer; fails only out of order.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try life.initialize(consumer)
    }

    /// Delivers frames pushed from now on.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) {
        isNew.store(true, ordering: .relaxed)
        try life.start()
    }

    /// Delivers no further frames.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() { life.stop() }

    /// Releases the consumer.
    public func dispose() { life.dispose() }
}

/// Finds frames that come too late, by their presentation times.
private struct FrameOrder {
    private var last: Duration?
    private var refused: Duration?

    /// Whether a frame is delivered.
    mutating func admit(_ frame: VideoFrame) -> Bool {
        guard let time = frame.presentationTime, !frame.image.isOf(.encoded) else { return true }
        if let last, time < last, refused.map({ time < $0 }) ?? true {
            refused = time
            return false
        }
        (last, refused) = (time, nil)
        return true
    }
}

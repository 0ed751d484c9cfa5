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
        ///
        /// With a ``DecodingSource``, this says only that a packet was taken for decoding: its picture comes later, or not at
        /// all if the packet is broken, if too many wait, or if the stream is stopped before it is decoded.
        case delivered
        /// The source or its stream is not started, or was stopped before the push was delivered.
        case notStarted
        /// The source was disposed of, perhaps with its stream or because the stream got another source.
        case disposed
        /// It was pushed from within the consumer's own call, when the consumer cannot receive another.
        case withinDelivery
        /// Its presentation time is earlier than that of the frame before it.
        case outOfOrder
        /// The source was made for another kind of memory, the associated value.
        case wrongKind(BufferKind)

        /// What happened, and what to do next.
        public var description: String {
            switch self {
            case .delivered: "The frame was delivered."
            case .notStarted: "The source is not started, so the frame was dropped: start it, or its stream, first."
            case .disposed: "The source is disposed, so the frame was dropped: make a new one."
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
    private let onKeyFrameNeeded: @Sendable () -> Void
    private let pool = PixelBufferPool()
    /// Used only while a frame is delivered, which one thread does at a time.
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
    ///   - onKeyFrameNeeded: for a source of packets: called when the receiver needs a key frame, because it has none
    ///     yet, packets were lost, or packets came faster than they are decoded. Ask the sender for one, in RTP with a
    ///     picture loss indication (PLI). It is called once for each loss, and again after every 120 packets without a
    ///     key frame, on the thread that decodes or that adds a sink of packets. It may push. It may still be running
    ///     after ``stop()`` has returned.
    public init(
        name: String, bufferKind: BufferKind? = nil, contentHint: VideoContentHint = .unspecified,
        captureType: VideoCaptureType = .unknown, onKeyFrameNeeded: @escaping @Sendable () -> Void = {}
    ) {
        self.onKeyFrameNeeded = onKeyFrameNeeded
        life = SourceLife(name: name)
        (self.bufferKind, self.contentHint, self.captureType) = (bufferKind, contentHint, captureType)
    }

    /// Delivers a frame to the consumer, after a running push of another thread.
    ///
    /// A frame whose presentation time is earlier than that of the last delivered one came too late, and is dropped. If
    /// the next frame is also earlier than that one, but not earlier than the dropped one, the sender's clock was set
    /// back, and frames are delivered from then on. Packets are always delivered, because their order is that of
    /// decoding.
    ///
    /// **Cost:** every frame; one short lock, and those of the sinks: a ``FrameMailbox`` has one. No allocation.
    ///
    /// - Returns: whether the consumer received it, or why not.
    @discardableResult
    public func push(_ frame: VideoFrame) -> PushResult {
        if let bufferKind, !frame.image.isOf(bufferKind) { return .wrongKind(bufferKind) }
        var isInOrder = true
        let result = pass { consumer in
            // Only one thread at a time gets here, so `order` needs no lock.
            if isNew.exchange(false, ordering: .relaxed) { order = FrameOrder() }
            isInOrder = order.admit(frame)
            guard isInOrder else { return nil }
            // Inside a source that has several of ours, where another one shares its gate with the stream.
            if let relay = consumer as? SinkRelay { return relay.pass(frame) }
            consumer.consume(frame)
            return nil
        }
        return isInOrder ? result : .outOfOrder
    }

    /// Copies a frame from memory that is valid only during the call, and delivers the copy.
    ///
    /// **Cost:** every frame; one copy, one short lock more than ``push(_:)``, for the pool of buffers, and no allocation
    /// once as many buffers exist as are in use. While the source is not started, nothing is copied.
    /// - Parameters:
    ///   - bytes: the samples; the planes follow each other.
    ///   - format: the format of the samples.
    ///   - size: the size of the frame; it may differ from frame to frame, as the format may.
    ///   - bytesPerRow: the stride of each plane, at least the bytes of its samples; by default without padding.
    ///   - presentationTime: when to show the frame, from the start of the stream.
    ///   - rotation: the rotation that the sink applies.
    /// - Returns: whether the consumer received it, or why not.
    /// - Throws: what ``VideoFrame/init(copying:format:size:bytesPerRow:presentationTime:rotation:pool:)`` throws,
    ///   before anything is read.
    @discardableResult
    public func push(
        copying bytes: UnsafeRawBufferPointer, format: PixelFormat, size: VideoSize, bytesPerRow: [Int]? = nil,
        presentationTime: Duration? = nil, rotation: VideoRotation = .upright
    ) throws(StreamError) -> PushResult {
        let layout = try RawFrameLayout(format, size: size, bytesPerRow: bytesPerRow)
        try layout.validate(length: bytes.count)
        if let bufferKind, bufferKind != .rawData, bufferKind != .pixelBuffer { return .wrongKind(bufferKind) }
        // A frame that would be dropped is not copied.
        guard life.gate.isOpen else { return life.gate.hasEnded ? .disposed : .notStarted }
        let frame = try VideoFrame(
            copying: bytes, layout, attributes: FrameAttributes(rotation: rotation),
            presentationTime: presentationTime, pool: pool)
        return push(frame)
    }

    /// Reports a condition to the consumer.
    ///
    /// - Returns: whether the consumer received it, or why not.
    @discardableResult
    public func report(_ condition: SourceCondition) -> PushResult {
        pass { consumer in
            if let relay = consumer as? SinkRelay { return relay.pass(condition) }
            consumer.sourceDidChange(condition)
            return nil
        }
    }

    /// Calls the consumer through this source's gate.
    ///
    /// If the consumer has another gate, `call` returns whether the call passed that one; otherwise `nil`.
    private func pass(_ call: (any VideoFrameConsumer) -> GatePassage?) -> PushResult {
        var next: GatePassage?
        let own = life.gate.pass { target in
            if let consumer = target.consumer { next = call(consumer) }
        }
        guard case .passed = own else { return PushResult(own) }
        return next.map { PushResult($0) } ?? .delivered
    }

    /// Whether frames pushed now are delivered.
    package var isStarted: Bool { life.gate.isOpen }

    /// What the sinks want; check it before you make a frame.
    public var wants: VideoSinkWants { life.gate.target.wants }

    /// Stores the wants in ``wants``; every pushed frame is still delivered.
    public func adapt(to wants: VideoSinkWants) {
        life.adapt(to: wants)
        pool.memory = wants.memory
    }

    /// Calls the `onKeyFrameNeeded` that the source was made with, if the source is started.
    public func requestKeyFrame() { if life.gate.isOpen { onKeyFrameNeeded() } }

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

extension PushSource.PushResult {
    fileprivate init(_ passage: GatePassage) {
        self =
            switch passage {
            case .passed: .delivered
            case .closed, .changed: .notStarted
            case .ended: .disposed
            case .nested: .withinDelivery
            }
    }
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

/// A source whose frames are pushed by whoever has them: a camera of one's own, an SDK's callback, a test.
///
///     let source = PushSource(name: "door")
///     let stream = VideoStream(source: source, sinks: [mailbox])
///     try stream.initialize()
///     try stream.start()
///     source.push(frame)  // any thread
///
/// The handshake of stopping is inside: when ``stop()`` returns, no call to the consumer is running and none will come,
/// whatever is pushed. `stop()` from within the consumer's own call does not wait: that call is then the last.
///
/// **Thread:** any; the consumer gets one call at a time, on the threads that push.
public final class PushSource: VideoSource {
    /// What became of a push.
    public enum PushResult: Hashable, Sendable {
        /// The consumer had it.
        case delivered
        /// The source is not started, or was stopped before the push had its turn: nobody wants it.
        case notStarted
        /// It was pushed from within the consumer's own call, where the consumer cannot take another.
        case withinDelivery
    }

    /// What people call it.
    public var name: String { life.name }

    private let life: SourceLife

    /// Creates a source that holds nothing.
    public init(name: String) { life = SourceLife(name: name) }

    /// Hands a frame to the consumer, after the push of another thread that is under way.
    ///
    /// **Cost:** every frame; one short lock, no allocation.
    ///
    /// - Returns: whether the consumer had it, and why not.
    @discardableResult
    public func push(_ frame: VideoFrame) -> PushResult { pass { $0.consume(frame) } }

    /// Tells the consumer how the source is doing.
    ///
    /// - Returns: whether the consumer heard it, and why not.
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

    /// What is wanted of the frames that are pushed: whoever pushes may look here before making one.
    public var wants: VideoSinkWants { life.gate.target.wants }

    /// Remembers what is wanted, for ``wants``; all that is pushed is handed on.
    public func adapt(to wants: VideoSinkWants) { life.adapt(to: wants) }

    /// Takes the consumer; fails only out of order.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try life.initialize(consumer)
    }

    /// Hands on what is pushed from now on.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) { try life.start() }

    /// Hands on nothing any more.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() { life.stop() }

    /// Releases the consumer.
    public func dispose() { life.dispose() }
}

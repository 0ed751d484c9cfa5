/// A source that frames are pushed into: by a camera of your own, an SDK's callback, a test.
///
///     let source = PushSource(name: "door")
///     let stream = VideoStream(source: source, sinks: [mailbox])
///     try stream.initialize()
///     try stream.start()
///     source.push(frame)  // any thread
///
/// It keeps the promise of sources: when ``stop()`` returns, no call to the consumer is running and none will come,
/// whatever is pushed. `stop()` from within the consumer's own call does not wait: that call is then the last.
///
/// **Thread:** any; the consumer gets one call at a time, on the threads that push.
public final class PushSource: VideoSource {
    /// The result of a push.
    public enum PushResult: Hashable, Sendable {
        /// The consumer received it.
        case delivered
        /// The source is not started, or was stopped before the push was delivered.
        case notStarted
        /// It was pushed from within the consumer's own call, when the consumer cannot receive another.
        case withinDelivery
    }

    /// The name to display.
    public var name: String { life.name }

    private let life: SourceLife

    /// Creates a source.
    public init(name: String) { life = SourceLife(name: name) }

    /// Delivers a frame to the consumer, after a running push of another thread.
    ///
    /// **Cost:** every frame; one short lock, no allocation.
    ///
    /// - Returns: whether the consumer received it, or why not.
    @discardableResult
    public func push(_ frame: VideoFrame) -> PushResult { pass { $0.consume(frame) } }

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
    public func adapt(to wants: VideoSinkWants) { life.adapt(to: wants) }

    /// Takes the consumer; fails only out of order.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try life.initialize(consumer)
    }

    /// Delivers frames pushed from now on.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) { try life.start() }

    /// Delivers no further frames.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() { life.stop() }

    /// Releases the consumer.
    public func dispose() { life.dispose() }
}

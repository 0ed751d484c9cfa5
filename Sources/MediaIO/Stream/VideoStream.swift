/// A source and the sinks that its frames go to, taken through their life together.
///
/// The sinks are made ready before the source and put away after it, so a sink never sees a frame outside its own life.
///
/// **Thread:** the four steps may be called from any thread but the source's own; two calls wait for each other.
public final class VideoStream: Sendable {
    /// The source.
    public let source: any VideoSource
    /// The sinks, in the order in which they get each frame.
    public let sinks: [any VideoSink]
    private struct Life {
        var lifecycle = StreamLifecycle()
        var readySinks = 0
    }

    private let life = Monitor(Life())
    // Apart from the steps' lock, so that asking never waits for a step.
    private let currentState = Monitor(StreamLifecycle.State.created)

    /// Joins a source to its sinks.
    ///
    /// Nothing runs yet.
    public init(source: any VideoSource, sinks: [any VideoSink]) {
        self.source = source
        self.sinks = sinks
    }

    deinit {
        // A stream that is let go while it runs must not leave a thread behind.
        dispose()
    }

    /// Where in its life the stream is, after the last step that was completed; never waits for one that runs.
    public var state: StreamLifecycle.State { currentState.withLock { $0 } }

    /// Takes hold of the sinks, then of the source.
    ///
    /// Sinks that are ready when a later one fails stay so: the next try goes on there, and ``dispose()`` lets them go.
    ///
    /// - Throws: the first failure, with the state as it was, or ``StreamError/Code/wrongOrder``.
    public func initialize() throws(StreamError) {
        try take(.initialize) { (life) throws(StreamError) in
            for sink in sinks[life.readySinks...] {
                try sink.initialize()
                life.readySinks += 1
            }
            try source.initialize(consumer: sinks.count == 1 ? sinks[0] : Fanout(sinks))
        }
    }

    /// Starts the sinks, then the source.
    ///
    /// What was started is stopped again when a later one fails.
    ///
    /// - Throws: the first failure, with the state as it was, or ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) {
        try take(.start) { (_) throws(StreamError) in
            var running = 0
            do throws(StreamError) {
                for sink in sinks {
                    try sink.start()
                    running += 1
                }
                try source.start()
            } catch {
                for sink in sinks[..<running].reversed() { sink.stop() }
                throw error
            }
        }
    }

    /// Stops the source, then the sinks.
    ///
    /// When it returns, no frame is on its way. Does nothing when not started.
    public func stop() {
        // Stopping is never illegal and its work does not throw, so there is no error to pass on.
        try? take(.stop) { _ in halt() }
    }

    /// Stops if need be, then lets go of the source and of the sinks.
    ///
    /// Does nothing when done before.
    public func dispose() {
        life.withLock { life in
            try? step(.stop, &life) { _ in halt() }
            try? step(.dispose, &life) { _ in
                source.dispose()
                for sink in sinks.reversed() { sink.dispose() }
            }
        }
    }

    private func halt() {
        source.stop()
        for sink in sinks.reversed() { sink.stop() }
    }

    private func take(
        _ step: StreamLifecycle.Step, _ work: (inout Life) throws(StreamError) -> Void
    ) throws(StreamError) {
        try life.withLock { (life) throws(StreamError) in try self.step(step, &life, work) }
    }

    private func step(
        _ step: StreamLifecycle.Step, _ life: inout Life, _ work: (inout Life) throws(StreamError) -> Void
    ) throws(StreamError) {
        var lifecycle = life.lifecycle
        try lifecycle.take(step, of: source.name) { () throws(StreamError) in try work(&life) }
        life.lifecycle = lifecycle
        currentState.withLock { $0 = lifecycle.state }
    }
}

/// Hands each frame to several sinks.
private final class Fanout: VideoFrameConsumer {
    private let sinks: [any VideoSink]

    init(_ sinks: [any VideoSink]) { self.sinks = sinks }

    func consume(_ frame: VideoFrame) {
        for sink in sinks { sink.consume(frame) }
    }

    func sourceDidChange(_ condition: SourceCondition) {
        for sink in sinks { sink.sourceDidChange(condition) }
    }
}

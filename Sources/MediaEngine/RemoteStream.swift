public import MediaIO

/// A stream that somebody else sends: one source, and any number of sinks.
///
/// **Thread:** any. From within one of the stream's own sinks, adding a sink throws, and removing one takes effect with
/// the next frame.
public final class RemoteStream: Sendable {
    /// Its identity: ``StreamID/remote(_:)``, unique in its engine.
    public let id: StreamID
    private let engine: EngineStream
    private let renderer = Monitor<(any VideoSink)?>(nil)
    /// The renderer that was set before the stream was played.
    ///
    /// Locked while the renderer is replaced, so that this is done by one thread at a time; never from within a sink.
    private let turn: Monitor<(any VideoSink)?>

    init(
        _ id: StreamID, _ renderer: (any VideoSink)?, _ adapters: StreamAdapters,
        _ post: @escaping @Sendable (EngineEvent) -> Void
    ) {
        self.id = id
        turn = Monitor(renderer)
        engine = EngineStream(id, adapters, post)
    }

    /// The source.
    public var source: any VideoSource { engine.source }

    /// Adds a sink, which gets what it asks for: see ``ConvertingSink``.
    ///
    /// - Throws: what the sink throws; ``StreamError/Code/wrongOrder`` if the stream has it already, after it was
    ///   removed from its engine, and from within one of its sinks.
    public func add(_ sink: any VideoSink) throws(StreamError) { try engine.add(sink) }

    /// Removes a sink, if it is there; when this returns, it gets no further frame.
    public func remove(_ sink: any VideoSink) { engine.remove(sink) }

    /// Replaces the renderer; `nil` for none.
    ///
    /// - Throws: what ``add(_:)`` throws, with the previous renderer gone.
    public func setVideoRenderer(_ renderer: (any VideoSink)?) throws(StreamError) {
        if isCallingSink {
            removeRenderer()
            // This throws, because a sink cannot be added here.
            if let renderer { try engine.add(renderer) }
            return
        }
        try turn.withLock { (first) throws(StreamError) in
            first = nil
            removeRenderer()
            if let renderer { try addRenderer(renderer) }
        }
    }

    private func addRenderer(_ renderer: any VideoSink) throws(StreamError) {
        try engine.add(renderer)
        self.renderer.withLock { $0 = renderer }
    }

    private func removeRenderer() {
        let old = renderer.withLock { current in
            defer { current = nil }
            return current
        }
        if let old { engine.remove(old) }
    }

    /// Replaces the source while frames flow: the new one is opened first.
    ///
    /// - Parameter source: a source that is not initialized yet.
    /// - Throws: what the new source throws, and the old one then continues; ``StreamError/Code/wrongOrder`` after the
    ///   stream was removed, and from within one of its sinks.
    public func setVideoSource(_ source: any VideoSource) throws(StreamError) { try engine.setSource(source) }

    /// What became of the frames for a sink so far; `nil` if the stream does not have the sink.
    public func statistics(of sink: any VideoSink) -> ConversionStatistics? { engine.statistics(of: sink) }

    // MARK: For the engine

    func start(_ source: any VideoSource, _ sinks: [any VideoSink]) throws(StreamError) {
        do throws(StreamError) {
            try engine.setSource(source)
            for sink in sinks { try engine.add(sink) }
            try turn.withLock { (first) throws(StreamError) in
                if let renderer = first { try addRenderer(renderer) }
                first = nil
            }
            try engine.start()
        } catch {
            dispose()
            throw error
        }
    }

    func dispose() {
        engine.dispose()
        renderer.withLock { $0 = nil }
    }

    var isCallingSink: Bool { engine.stream.isCallingSink }
}

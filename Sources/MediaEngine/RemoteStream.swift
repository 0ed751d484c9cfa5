public import MediaIO

/// A stream that somebody else sends: one source, and any number of sinks.
///
/// **Thread:** any. From within one of the stream's own sinks, adding one throws, and removing one takes effect for the
/// next frame.
public final class RemoteStream: Sendable {
    /// Its ID, unique in its engine.
    public let id: String
    private let engine: EngineStream
    private let renderer = Monitor<(any VideoSink)?>(nil)

    init(
        _ id: String, _ adapters: StreamAdapters, _ post: @escaping @Sendable (EngineEvent) -> Void
    ) {
        self.id = id
        engine = EngineStream(.remote(id), adapters, post)
    }

    /// The source.
    public var source: any VideoSource { engine.source }

    /// Adds a sink, which gets what it asks for: see ``ConvertingSink``.
    ///
    /// - Throws: what the sink throws; ``StreamError/Code/wrongOrder`` if the stream has it already, after it was removed
    ///   from its engine, and from within one of its sinks.
    public func add(_ sink: any VideoSink) throws(StreamError) { try engine.add(sink) }

    /// Removes a sink, if it is there; when this returns, it gets no further frame.
    public func remove(_ sink: any VideoSink) { engine.remove(sink) }

    /// Sets the renderer, instead of the previous one; `nil` for none.
    ///
    /// - Throws: what ``add(_:)`` throws, with the previous renderer gone.
    public func setVideoRenderer(_ renderer: (any VideoSink)?) throws(StreamError) {
        let old = self.renderer.withLock { current in
            defer { current = renderer }
            return current
        }
        if let old { engine.remove(old) }
        guard let renderer else { return }
        do throws(StreamError) {
            try engine.add(renderer)
        } catch {
            self.renderer.withLock { current in if current === renderer { current = nil } }
            throw error
        }
    }

    /// Replaces the source while frames flow: the new one is opened first.
    ///
    /// - Parameter source: a source that is not initialized yet.
    /// - Throws: what the new source throws, and the old one then continues; ``StreamError/Code/wrongOrder`` after the
    ///   stream was removed, and from within one of its sinks.
    public func setVideoSource(_ source: any VideoSource) throws(StreamError) { try engine.setSource(source) }

    /// What a sink was handed so far; `nil` without the sink.
    public func statistics(of sink: any VideoSink) -> ConversionStatistics? { engine.statistics(of: sink) }

    // MARK: For the engine

    func start(_ source: any VideoSource, _ sinks: [any VideoSink]) throws(StreamError) {
        do throws(StreamError) {
            try engine.setSource(source)
            for sink in sinks { try engine.add(sink) }
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

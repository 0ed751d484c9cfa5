internal import MediaIO
internal import Synchronization

/// The part that local and remote streams share: a source that may change, and wrapped sinks that come and go.
final class EngineStream: Sendable {
    let stream: VideoStream
    private let adapters: StreamAdapters
    private let wrapped = Monitor<[ObjectIdentifier: ConvertingSink]>([:])

    /// Creates a stream without a source.
    ///
    /// - Parameters:
    ///   - id: its identity.
    ///   - adapters: what is put between its source and its sinks.
    ///   - post: tells the owner of events.
    init(
        _ id: StreamID, _ adapters: StreamAdapters, _ post: @escaping @Sendable (EngineEvent) -> Void
    ) {
        self.adapters = adapters
        let observer = StreamObserver(id, post)
        stream = VideoStream(source: PushSource(name: id.description), sinks: [observer])
    }

    /// The source, as it was set.
    var source: any VideoSource {
        let source = stream.source
        return (source as? DecodingSource)?.source ?? source
    }

    /// Replaces the source; that of packets is decoded on a thread of its own.
    func setSource(_ source: any VideoSource) throws(StreamError) {
        guard source.bufferKind == .encoded, let makeDecoder = adapters.makeDecoder else {
            return try stream.setSource(source)
        }
        try stream.setSource(DecodingSource(source, keepsPackets: true, makeDecoder: makeDecoder))
    }

    /// Adds a sink, which gets what it asks for.
    func add(
        _ sink: any VideoSink, adjusting adjust: (@Sendable (inout VideoFrame) -> Void)? = nil
    ) throws(StreamError) {
        let wrapper = ConvertingSink(sink, adapters.textures, adjusting: adjust)
        let key = ObjectIdentifier(sink)
        let isNew = wrapped.withLock { wrapped in
            guard wrapped[key] == nil else { return false }
            wrapped[key] = wrapper
            return true
        }
        guard isNew else {
            throw StreamError(.wrongOrder, "\(stream.source.name) has this sink already: remove it first.")
        }
        do throws(StreamError) {
            try stream.add(wrapper)
        } catch {
            wrapped.withLock { $0[key] = nil }
            throw error
        }
    }

    /// Removes a sink, if it is there; when this returns, it gets no further frame.
    func remove(_ sink: any VideoSink) {
        guard let wrapper = wrapped.withLock({ $0.removeValue(forKey: ObjectIdentifier(sink)) }) else { return }
        stream.remove(wrapper)
    }

    /// What a sink was handed so far; `nil` without the sink.
    func statistics(of sink: any VideoSink) -> ConversionStatistics? {
        wrapped.withLock { $0[ObjectIdentifier(sink)] }?.statistics
    }

    /// Ends it; what a sink was handed is forgotten.
    func dispose() {
        stream.dispose()
        let sinks = wrapped.withLock { wrapped in
            defer { wrapped = [:] }
            return wrapped
        }
        // Released without the lock.
        _ = sinks
    }

    /// Lets frames flow.
    func start() throws(StreamError) {
        if stream.state == .created { try stream.initialize() }
        if stream.state == .initialized { try stream.start() }
    }
}

/// Tells the engine's owner of a stream.
private final class StreamObserver: VideoSink {
    /// It wants no frames of its own: those for the other sinks come along.
    let demand: SinkDemand? = SinkDemand(.nothing)
    private let id: StreamID
    private let post: @Sendable (EngineEvent) -> Void
    private let hasFrame = Atomic(false)

    init(_ id: StreamID, _ post: @escaping @Sendable (EngineEvent) -> Void) { (self.id, self.post) = (id, post) }

    func start() throws(StreamError) { hasFrame.store(false, ordering: .relaxed) }

    func consume(_ frame: VideoFrame) {
        if !hasFrame.exchange(true, ordering: .relaxed) { post(.firstFrame(id)) }
    }

    func sourceDidSwitch() { hasFrame.store(false, ordering: .relaxed) }

    func sourceDidChange(_ condition: SourceCondition) { post(.condition(id, condition)) }
}

/// What an engine puts between a source and the sinks, from the modules that can.
struct StreamAdapters: Sendable {
    /// Makes decoders for sources of packets; `nil` if they are not decoded.
    var makeDecoder: DecodingSource.DecoderMaker?
    /// Makes textures and reads them; `nil` if nothing does.
    var textures: (any TextureConverter)?
}

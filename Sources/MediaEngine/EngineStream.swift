internal import MediaIO
internal import Synchronization

/// What local and remote streams have in common: a source that may be replaced, and wrapped sinks.
final class EngineStream: Sendable {
    let stream: VideoStream
    private let adapters: StreamAdapters
    private let wrapped = Monitor<[ObjectIdentifier: ConvertingSink]>([:])
    /// The wrappers of sinks that were removed from within a sink, which the stream disposes of later and then releases.
    private let leaving = Monitor<[WeakSink]>([])
    /// Locked while a sink is added or removed, so that this is done by one thread at a time; never from within a sink.
    ///
    /// The value is not used. An empty one would have the lock's address, which the thread sanitizer reports as a race.
    private let turn = Monitor(false)

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

    /// The source, without the decoder around it.
    var source: any VideoSource {
        let source = stream.source
        return (source as? DecodingSource)?.source ?? source
    }

    /// Replaces the source; packets are decoded on another thread.
    func setSource(_ source: any VideoSource) throws(StreamError) {
        guard source.bufferKind == .encoded, let makeDecoder = adapters.makeDecoder else {
            return try stream.setSource(source)
        }
        try stream.setSource(DecodingSource(source, makeDecoder: makeDecoder))
    }

    /// Adds a sink, which gets what it asks for.
    func add(
        _ sink: any VideoSink, adjusting adjust: (@Sendable (inout VideoFrame) -> FrameScaling?)? = nil
    ) throws(StreamError) {
        guard !stream.isCallingSink else {
            throw StreamError(
                .wrongOrder,
                "\(stream.source.name) cannot add a sink from within its own sink: do it on another thread.")
        }
        try turn.withLock { (_) throws(StreamError) in
            try add(ConvertingSink(sink, adapters.textures, adjusting: adjust), for: sink)
        }
    }

    private func add(_ wrapper: ConvertingSink, for sink: any VideoSink) throws(StreamError) {
        let key = ObjectIdentifier(sink)
        let isNew = wrapped.withLock { wrapped in
            guard wrapped[key] == nil else { return false }
            wrapped[key] = wrapper
            return true
        }
        guard isNew else {
            throw StreamError(.wrongOrder, "\(stream.source.name) has this sink already: remove it first.")
        }
        // One of them may be for this sink, whose next life begins after the last one.
        removeLeaving()
        do throws(StreamError) {
            try stream.add(wrapper)
        } catch {
            wrapped.withLock { $0[key] = nil }
            throw error
        }
        // Meanwhile, another sink may have removed it from within its own call, which does not wait for the lock.
        if wrapped.withLock({ $0[key] }) !== wrapper { stream.remove(wrapper) }
    }

    /// Removes a sink, if it is there; when this returns, it gets no further frame.
    func remove(_ sink: any VideoSink) {
        if stream.isCallingSink { removeNow(sink) } else { turn.withLock { _ in removeNow(sink) } }
    }

    private func removeNow(_ sink: any VideoSink) {
        let wrapper = wrapped.withLock { wrapped in
            let wrapper = wrapped.removeValue(forKey: ObjectIdentifier(sink))
            // Nobody may add the sink again before it is known that it is leaving.
            if let wrapper, stream.isCallingSink { leaving.withLock { $0.append(WeakSink(sink: wrapper)) } }
            return wrapper
        }
        if let wrapper { stream.remove(wrapper) }
    }

    private func removeLeaving() {
        let sinks = leaving.withLock { leaving in
            defer { leaving = [] }
            return leaving
        }
        for case let sink? in sinks.map(\.sink) { stream.remove(sink) }
    }

    /// What became of the frames for a sink so far; `nil` if the stream does not have the sink.
    func statistics(of sink: any VideoSink) -> ConversionStatistics? {
        wrapped.withLock { $0[ObjectIdentifier(sink)] }?.statistics
    }

    /// Ends the stream and forgets its sinks.
    func dispose() {
        stream.dispose()
        let sinks = wrapped.withLock { wrapped in
            defer { wrapped = [:] }
            return wrapped
        }
        // Released without the lock.
        _ = sinks
    }

    /// Initializes and starts the stream, unless it runs.
    func start() throws(StreamError) {
        if stream.state == .created { try stream.initialize() }
        if stream.state == .initialized { try stream.start() }
    }
}

/// A wrapper that others retain.
private struct WeakSink: Sendable {
    weak let sink: ConvertingSink?
}

/// Posts the events of a stream.
private final class StreamObserver: VideoSink {
    /// It wants no frames itself, but gets those that the other sinks want.
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

/// What an engine puts between a source and its sinks; other modules provide it.
struct StreamAdapters: Sendable {
    /// Makes decoders for sources of packets; `nil` if they are not decoded.
    var makeDecoder: PacketDecoderMaker?
    /// Makes textures and reads them; `nil` if nothing does.
    var textures: (any TextureConverter)?
}

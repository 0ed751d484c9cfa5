public import MediaIO

/// The interface of an RTC SDK for custom capture and custom rendering, without its network: local channels and remote
/// streams, with their sources and renderers.
///
///     let engine = VideoEngine { event in print(event) }
///     try engine.setVideoSource(camera)
///     try engine.startPreview(canvas: tile.mailbox)
///     try engine.startPlayingStream("door", from: source)
///     try engine.setRemoteVideoRenderer(renderer, for: "door")
///
/// Sinks get frames in the kind of memory and the formats that they ask for: see ``ConvertingSink``.
///
/// In `async` code, calls that open a source or a sink are made with `await`; they open it on another thread.
///
/// **Thread:** any. Frames go from their source's thread to the sinks without the engine in between: one stream does
/// not wait for another.
public final class VideoEngine: Sendable {
    private struct State {
        var channels: [PublishChannel: LocalChannel] = [:]
        var streams: [StreamID: RemoteStream] = [:]
        /// Renderers of streams that are not played yet.
        var renderers: [StreamID: any VideoSink] = [:]
        var isDisposed = false
    }

    private let state = Monitor(State())
    private let custom = Monitor<CustomRender?>(nil)
    private let callbacks = Callbacks("Vitrail events")
    private let sequences = EventSequences()
    private let adapters: StreamAdapters
    private let onEvent: @Sendable (EngineEvent) -> Void

    /// Creates an engine without streams.
    ///
    /// - Parameters:
    ///   - onEvent: is called for each event, one at a time, on a thread of its own; it may call the engine. See also
    ///     ``events``.
    ///   - decoder: makes decoders for sources whose ``VideoSource/bufferKind`` is ``BufferKind/encoded``, such as
    ///     `{ packet throws(StreamError) in try MediaPacketDecoder(for: packet) }`. Without it, their packets reach
    ///     only sinks that ask for packets.
    ///   - textures: makes textures for sinks whose ``VideoSink/bufferKind`` is ``BufferKind/texture``, and reads
    ///     textures back for sinks that ask for memory, such as `renderer.context.shareGroup`. Without it, neither is
    ///     possible.
    public init(
        onEvent: @escaping @Sendable (EngineEvent) -> Void = { _ in }, decoder: PacketDecoderMaker? = nil,
        textures: (any TextureConverter)? = nil
    ) {
        self.onEvent = onEvent
        adapters = StreamAdapters(makeDecoder: decoder, textures: textures)
    }

    deinit { dispose() }

    private var post: @Sendable (EngineEvent) -> Void {
        { [callbacks, sequences, onEvent] event in
            callbacks.post {
                sequences.yield(event)
                onEvent(event)
            }
        }
    }

    /// The events from now on, in the order in which the callback gets them.
    ///
    ///     for await event in engine.events { print(event) }
    ///
    /// Each use makes a sequence of its own. It keeps the newest 256 events that were not read yet, and drops older
    /// ones. ``dispose()`` ends it; a sequence that is made afterwards is empty.
    public var events: AsyncStream<EngineEvent> { sequences.make() }

    // MARK: Local channels

    /// A local channel, which is made when it is first asked for.
    public func channel(_ channel: PublishChannel = .main) -> LocalChannel {
        state.withLock { state in
            if let found = state.channels[channel] { return found }
            let made = LocalChannel(channel, custom, adapters, post)
            if state.isDisposed { made.dispose() } else { state.channels[channel] = made }
            return made
        }
    }

    /// The same as ``LocalChannel/setVideoSource(_:)``.
    public func setVideoSource(
        _ source: (any VideoSource)?, for channel: PublishChannel = .main
    ) throws(StreamError) { try self.channel(channel).setVideoSource(source) }

    /// The same as ``LocalChannel/setLocalVideoRenderer(_:)``.
    public func setLocalVideoRenderer(
        _ renderer: (any VideoSink)?, for channel: PublishChannel = .main
    ) throws(StreamError) { try self.channel(channel).setLocalVideoRenderer(renderer) }

    /// The same as ``LocalChannel/startPreview(canvas:)``.
    public func startPreview(
        canvas: (any VideoSink)? = nil, for channel: PublishChannel = .main
    ) throws(StreamError) { try self.channel(channel).startPreview(canvas: canvas) }

    /// The same as ``LocalChannel/stopPreview()``.
    public func stopPreview(for channel: PublishChannel = .main) { self.channel(channel).stopPreview() }

    // MARK: Remote streams

    /// The remote streams, in the order of their IDs.
    public var streams: [RemoteStream] {
        state.withLock { state in state.streams.values.sorted { $0.id.description < $1.id.description } }
    }

    /// A remote stream.
    ///
    /// - Throws: ``StreamError/Code/unknownStream``.
    public func stream(_ id: StreamID) throws(StreamError) -> RemoteStream {
        if let found = state.withLock({ $0.streams[id] }) { return found }
        throw StreamError(
            .unknownStream,
            id.isLocal
                ? "\(id.sentence) is local: ask for it with channel(_:)."
                : "\(id.sentence) is not played: start playing it first (startPlayingStream).")
    }

    /// - Throws: ``StreamError/Code/unknownStream`` for a local stream.
    private func check(isRemote id: StreamID) throws(StreamError) {
        guard id.isLocal else { return }
        throw StreamError(
            .unknownStream, "\(id.sentence) is local: use startPreview(canvas:for:) and setLocalVideoRenderer(_:for:).")
    }

    /// Adds a remote stream, and starts its source.
    ///
    /// - Parameters:
    ///   - id: the ID, unique in this engine, such as a string literal.
    ///   - source: delivers the frames.
    ///   - canvas: shows the frames, such as the mailbox of a tile; not used if a custom renderer renders alone
    ///     (``CustomRenderConfiguration/engineRenders``).
    /// - Returns: the stream.
    /// - Throws: what the source and the sinks throw, with the stream not added; ``StreamError/Code/wrongOrder`` if
    ///   there is a stream with that ID, and after ``dispose()``; ``StreamError/Code/unknownStream`` for a local
    ///   stream.
    @discardableResult
    public func startPlayingStream(
        _ id: StreamID, from source: any VideoSource, canvas: (any VideoSink)? = nil
    ) throws(StreamError) -> RemoteStream {
        try check(isRemote: id)
        let (stream, renderer) = try state.withLock { (state) throws(StreamError) in
            guard !state.isDisposed, state.streams[id] == nil else {
                throw StreamError(
                    .wrongOrder,
                    "\(id.sentence) cannot be played: it is played already, or the engine was disposed of.")
            }
            let renderer = state.renderers.removeValue(forKey: id)
            let stream = RemoteStream(id, renderer, adapters, post)
            state.streams[id] = stream
            return (stream, renderer)
        }
        let custom = custom.withLock { $0 }
        var sinks: [any VideoSink] = []
        if let canvas, custom?.configuration.engineRenders ?? true { sinks.append(canvas) }
        if let custom {
            sinks.append(custom.makeSink { [handler = custom.handler] in handler.didReceive($0, of: id) })
        }
        do throws(StreamError) {
            try stream.start(source, sinks)
        } catch {
            forget(stream)
            // The renderer is kept for the next try.
            state.withLock { state in
                if !state.isDisposed, state.renderers[id] == nil { state.renderers[id] = renderer }
            }
            throw error
        }
        return stream
    }

    /// Removes a remote stream, if it is there, and disposes of its source and its sinks.
    public func stopPlayingStream(_ id: StreamID) {
        guard let stream = state.withLock({ $0.streams[id] }) else { return }
        forget(stream)
        stream.dispose()
    }

    private func forget(_ stream: RemoteStream) {
        state.withLock { state in
            if state.streams[stream.id] === stream { state.streams[stream.id] = nil }
        }
    }

    /// Replaces the renderer of a remote stream; `nil` for none.
    ///
    /// It may be set before the stream is played: it then starts with the stream. It ends with the stream.
    ///
    /// - Parameters:
    ///   - renderer: gets the frames.
    ///   - id: the stream's ID, such as a string literal.
    /// - Throws: what ``RemoteStream/setVideoRenderer(_:)`` throws; ``StreamError/Code/wrongOrder`` after
    ///   ``dispose()``; ``StreamError/Code/unknownStream`` for a local stream.
    public func setRemoteVideoRenderer(_ renderer: (any VideoSink)?, for id: StreamID) throws(StreamError) {
        try check(isRemote: id)
        let (stream, old) = try state.withLock { (state) throws(StreamError) in
            guard !state.isDisposed else {
                throw StreamError(
                    .wrongOrder, "\(id.sentence) gets no renderer: its engine was disposed of. Make a new one.")
            }
            if let stream = state.streams[id] { return (stream as RemoteStream?, nil as (any VideoSink)?) }
            defer { state.renderers[id] = renderer }
            return (nil, state.renderers[id])
        }
        // Released without the lock.
        _ = old
        try stream?.setVideoRenderer(renderer)
    }

    // MARK: Custom render

    /// Sets a custom renderer, which gets the frames of each preview and remote stream that starts from now on.
    ///
    /// - Parameters:
    ///   - configuration: what the handler gets.
    ///   - handler: gets the frames; `nil` for no custom renderer.
    public func setCustomRender(
        _ configuration: CustomRenderConfiguration = CustomRenderConfiguration(), handler: (any CustomRenderHandler)?
    ) {
        let new = handler.map { CustomRender(configuration: configuration, handler: $0) }
        let old = custom.withLock { custom in
            defer { custom = new }
            return custom
        }
        // Released without the lock.
        _ = old
    }

    /// Ends all streams.
    ///
    /// Handlers of custom capture are told that their streams have stopped. When this returns, no call of the engine to
    /// a sink, a handler or the owner is running and none will come, except the one that it is called from. Called from
    /// within a sink, it returns at once, and the streams end soon afterwards on another thread. A second call does
    /// nothing.
    public func dispose() {
        let last = state.withLock { state in
            defer { state = State(isDisposed: true) }
            return state
        }
        guard !last.isDisposed else { return }
        let (channels, streams) = (Array(last.channels.values), Array(last.streams.values))
        let work: @Sendable () -> Void = { [callbacks, sequences] in
            for channel in channels { channel.dispose() }
            for stream in streams { stream.dispose() }
            callbacks.close()
            sequences.finish()
        }
        guard channels.contains(where: \.isCallingSink) || streams.contains(where: \.isCallingSink) else {
            return work()
        }
        // Ending a stream waits for its sink's running call, and that may be the call we are in. If no thread can be
        // started, the streams end when they are released.
        try? SystemThread(for: "Vitrail") { work() }.detach()
    }
}

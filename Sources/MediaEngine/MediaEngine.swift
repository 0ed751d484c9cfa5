public import MediaIO

/// Local channels and remote streams with their sources and renderers: what an RTC SDK offers to someone who brings a
/// camera or a renderer of their own, without its network.
///
///     let engine = MediaEngine { event in print(event) }
///     try engine.setVideoSource(camera)
///     try engine.startPreview(canvas: tile.mailbox)
///     try engine.startPlayingStream("door", from: source)
///     try engine.setRemoteVideoRenderer(renderer, for: "door")
///
/// Sinks get frames in the kind of memory and the formats that they ask for: see ``ConvertingSink``.
///
/// **Thread:** any. Frames go from their source's thread to the sinks without the engine in between: streams do not wait
/// for each other.
public final class MediaEngine: Sendable {
    private struct State {
        var channels: [PublishChannel: LocalChannel] = [:]
        var streams: [String: RemoteStream] = [:]
        var custom: CustomRender?
        var isDisposed = false
    }

    private let state = Monitor(State())
    private let callbacks = Callbacks("Vitrail events")
    private let adapters: StreamAdapters
    private let onEvent: @Sendable (EngineEvent) -> Void

    /// Creates an engine without streams.
    ///
    /// - Parameters:
    ///   - onEvent: is told what happens, one event after the other, from a thread of its own; it may call the engine.
    ///   - decoder: makes decoders for sources whose ``VideoSource/bufferKind`` is ``BufferKind/encoded``, such as
    ///     `{ packet in try MediaPacketDecoder(for: packet) }`; without it only sinks that ask for packets get something
    ///     from those.
    ///   - textures: makes textures for sinks whose ``VideoSink/bufferKind`` is ``BufferKind/texture``, and reads those of
    ///     sources back for sinks that ask for memory: `renderer.context.shareGroup`. Without it frames stay where they are.
    public init(
        onEvent: @escaping @Sendable (EngineEvent) -> Void = { _ in }, decoder: DecodingSource.DecoderMaker? = nil,
        textures: (any TextureConverter)? = nil
    ) {
        self.onEvent = onEvent
        adapters = StreamAdapters(makeDecoder: decoder, textures: textures)
    }

    deinit { dispose() }

    private var post: @Sendable (EngineEvent) -> Void {
        { [callbacks, onEvent] event in callbacks.post { onEvent(event) } }
    }

    // MARK: Local channels

    /// A local channel; each exists from its first use on.
    public func channel(_ channel: PublishChannel = .main) -> LocalChannel {
        state.withLock { state in
            if let found = state.channels[channel] { return found }
            let made = LocalChannel(channel, state.custom, adapters, post)
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
        state.withLock { state in state.streams.values.sorted { $0.id < $1.id } }
    }

    /// A remote stream.
    ///
    /// - Throws: ``StreamError/Code/unknownStream``.
    public func stream(_ id: String) throws(StreamError) -> RemoteStream {
        if let found = state.withLock({ $0.streams[id] }) { return found }
        throw StreamError(
            .unknownStream, "There is no stream with the ID \"\(id)\": start playing it first (startPlayingStream).")
    }

    /// Adds a remote stream, and starts its source.
    ///
    /// - Parameters:
    ///   - id: the ID, which no other stream has.
    ///   - source: delivers the frames.
    ///   - canvas: shows them, such as the mailbox of a tile; not if a custom renderer was set that renders alone.
    /// - Returns: the stream.
    /// - Throws: what the source and the canvas throw, with the stream not added; ``StreamError/Code/wrongOrder`` if there
    ///   is a stream with that ID, and after ``dispose()``.
    @discardableResult
    public func startPlayingStream(
        _ id: String, from source: any VideoSource, canvas: (any VideoSink)? = nil
    ) throws(StreamError) -> RemoteStream {
        let stream = RemoteStream(id, adapters, post)
        let custom = try state.withLock { (state) throws(StreamError) -> CustomRender? in
            guard !state.isDisposed, state.streams[id] == nil else {
                throw StreamError(
                    .wrongOrder,
                    "The stream \"\(id)\" cannot be played: it is played already, or the engine was disposed of.")
            }
            state.streams[id] = stream
            return state.custom
        }
        var sinks: [any VideoSink] = []
        if let canvas, custom?.configuration.engineRenders ?? true { sinks.append(canvas) }
        if let custom {
            sinks.append(custom.makeSink { [handler = custom.handler] in handler.didReceive($0, streamID: id) })
        }
        do throws(StreamError) {
            try stream.start(source, sinks)
        } catch {
            forget(stream)
            throw error
        }
        return stream
    }

    /// Removes a remote stream, if it is there, and disposes of its source and its sinks.
    public func stopPlayingStream(_ id: String) {
        guard let stream = state.withLock({ $0.streams[id] }) else { return }
        forget(stream)
        stream.dispose()
    }

    private func forget(_ stream: RemoteStream) {
        state.withLock { state in
            if state.streams[stream.id] === stream { state.streams[stream.id] = nil }
        }
    }

    /// The same as ``RemoteStream/setVideoRenderer(_:)``.
    ///
    /// - Throws: what that throws, and ``StreamError/Code/unknownStream``.
    public func setRemoteVideoRenderer(_ renderer: (any VideoSink)?, for id: String) throws(StreamError) {
        try stream(id).setVideoRenderer(renderer)
    }

    // MARK: Custom render

    /// Hands the frames of all previews and remote streams to a renderer of one's own, from their next start on.
    ///
    /// - Parameters:
    ///   - configuration: what the handler gets.
    ///   - handler: gets the frames; `nil` to end it.
    public func setCustomRender(
        _ configuration: CustomRenderConfiguration = CustomRenderConfiguration(), handler: (any CustomRenderHandler)?
    ) {
        let custom = handler.map { CustomRender(configuration: configuration, handler: $0) }
        let channels = state.withLock { state in
            state.custom = custom
            return Array(state.channels.values)
        }
        for channel in channels { channel.setCustomRender(custom) }
    }

    /// Ends all streams.
    ///
    /// Custom capturers are told that they end, if they run. When it returns, no frame, event or other call of the engine
    /// is on its way, but the one that it is called from. From within a sink it returns at once, and that is so soon after.
    /// A second call does nothing.
    public func dispose() {
        let (channels, streams, isFirst) = state.withLock { state in
            defer { (state.channels, state.streams, state.isDisposed) = ([:], [:], true) }
            return (Array(state.channels.values), Array(state.streams.values), !state.isDisposed)
        }
        guard isFirst else { return }
        let work: @Sendable () -> Void = { [callbacks] in
            for channel in channels { channel.dispose() }
            for stream in streams { stream.dispose() }
            callbacks.close()
        }
        guard channels.contains(where: \.isCallingSink) || streams.contains(where: \.isCallingSink) else {
            return work()
        }
        // What is waited for is this very call. If no thread can be started, the streams end with their last reference.
        try? SystemThread(for: "Vitrail") { work() }.detach()
    }
}

public import MediaIO

/// A local stream: one source, which preview and publishing share.
///
/// The source runs while either of them runs. Their sinks are initialized and started when preview or publishing
/// begins, and stopped and disposed of when it ends.
///
/// **Thread:** any. From within one of the channel's own sinks, calls that begin something throw, and calls that end
/// something return at once and take effect on another thread soon afterwards, before anything that is begun later.
public final class LocalChannel: Sendable {
    /// What the frames of a sink are for.
    public enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// For the person who is captured.
        case preview
        /// For everyone else.
        case publishing
    }

    private struct State {
        var sinks: [Purpose: [any VideoSink]] = [.preview: [], .publishing: []]
        var running: Set<Purpose> = []
        var renderer: (any VideoSink)?
        var canvas: (any VideoSink)?
        var customSink: FrameHandler?
        var isDisposed = false
    }

    /// Which of the channels this is.
    public let channel: PublishChannel
    /// Its identity in events and callbacks.
    public var id: StreamID { .local(channel) }
    private let engine: EngineStream
    private let steps = ChannelSteps(State())
    /// The engine's custom renderer.
    private let custom: Monitor<CustomRender?>
    /// A copy of what runs, which can be read without waiting for a step.
    private let shown = Monitor<Set<Purpose>>([])
    let look = Monitor(Look())
    private let callbacks: Callbacks
    private let post: @Sendable (EngineEvent) -> Void

    init(
        _ channel: PublishChannel, _ custom: Monitor<CustomRender?>, _ adapters: StreamAdapters,
        _ post: @escaping @Sendable (EngineEvent) -> Void
    ) {
        self.channel = channel
        self.custom = custom
        self.post = post
        callbacks = Callbacks("Vitrail channel \(channel.rawValue)")
        engine = EngineStream(.local(channel), adapters, post)
    }

    // MARK: The source

    /// The source; without one, an empty source that delivers nothing.
    public var source: any VideoSource { engine.source }

    /// Replaces the source, even while frames flow.
    ///
    /// The new one is opened first, and what is shown stays until its first frame. When this returns, the old one has
    /// delivered its last frame and is disposed of.
    ///
    /// - Parameter source: a source that is not initialized yet; `nil` for none.
    /// - Throws: what the new source throws, and the old one then continues; ``StreamError/Code/wrongOrder`` after the
    ///   engine was disposed of, and from within a sink of the channel.
    public func setVideoSource(_ source: (any VideoSource)?) throws(StreamError) {
        try engine.setSource(source ?? PushSource(name: id.description))
    }

    /// Makes the program the source: it pushes frames into what this returns.
    ///
    /// - Parameters:
    ///   - bufferKind: the kind of memory that frames are pushed in, so that others are refused; `nil` for any.
    ///   - contentHint: what matters in the pictures.
    ///   - captureType: where they come from.
    ///   - handler: is told when frames are needed.
    /// - Returns: the new source of the channel.
    /// - Throws: what ``setVideoSource(_:)`` throws.
    @discardableResult
    public func enableCustomCapture(
        _ bufferKind: BufferKind? = nil, contentHint: VideoContentHint = .unspecified,
        captureType: VideoCaptureType = .unknown, handler: (any CustomCaptureHandler)? = nil
    ) throws(StreamError) -> CustomCapture {
        let source = PushSource(
            name: id.description, bufferKind: bufferKind, contentHint: contentHint,
            captureType: captureType)
        let capture = CustomCapture(id, source, handler, callbacks) { [post, id] state in post(.device(id, state)) }
        try capture.replacing { () throws(StreamError) in try engine.setSource(capture) }
        return capture
    }

    // MARK: Preview and publishing

    /// Adds a sink, which gets frames while its purpose runs.
    ///
    /// - Throws: what the sink throws if its purpose runs; ``StreamError/Code/wrongOrder`` if the channel has it
    ///   already, after the engine was disposed of, and from within a sink of the channel.
    public func add(_ sink: any VideoSink, for purpose: Purpose) throws(StreamError) {
        try change("add a sink") { (state) throws(StreamError) in
            guard !state.sinks.values.joined().contains(where: { $0 === sink }) else {
                throw StreamError(.wrongOrder, "\(name) has this sink already: remove it first.")
            }
            if state.running.contains(purpose) { try attach(sink, purpose) }
            state.sinks[purpose]?.append(sink)
        }
    }

    /// Removes a sink, if it is there; when this returns, it gets no further frame.
    public func remove(_ sink: any VideoSink) {
        finish { state in
            for purpose in Purpose.allCases { state.sinks[purpose]?.removeAll { $0 === sink } }
            self.engine.remove(sink)
        }
    }

    /// Replaces the renderer of the preview; `nil` for none.
    ///
    /// - Throws: what ``add(_:for:)`` throws, with the previous renderer gone.
    public func setLocalVideoRenderer(_ renderer: (any VideoSink)?) throws(StreamError) {
        try change("set its renderer") { (state) throws(StreamError) in
            if let old = state.renderer { engine.remove(old) }
            state.renderer = nil
            if let renderer, state.running.contains(.preview) { try attach(renderer, .preview) }
            state.renderer = renderer
        }
    }

    /// Starts the preview, and the source if it does not run yet.
    ///
    /// Does nothing if it runs already.
    ///
    /// - Parameter canvas: shows the preview until it ends, such as the mailbox of a tile; not used if a custom
    ///   renderer renders alone (``CustomRenderConfiguration/engineRenders``).
    /// - Throws: what the sinks and the source throw, with the preview not started; ``StreamError/Code/wrongOrder``
    ///   after the engine was disposed of, and from within a sink of the channel.
    public func startPreview(canvas: (any VideoSink)? = nil) throws(StreamError) {
        try change("start its preview") { (state) throws(StreamError) in
            guard !state.running.contains(.preview) else { return }
            let custom = custom.withLock { $0 }
            let hidesCanvas = custom.map { !$0.configuration.engineRenders } ?? false
            state.canvas = hidesCanvas ? nil : canvas
            state.customSink = custom.map(makeCustomSink)
            do throws(StreamError) {
                try begin(.preview, state)
            } catch {
                (state.canvas, state.customSink) = (nil, nil)
                throw error
            }
            state.running.insert(.preview)
            show(state)
        }
    }

    /// Ends the preview, and stops the source unless the channel publishes.
    public func stopPreview() {
        finish { state in
            self.end(.preview, &state)
            (state.canvas, state.customSink) = (nil, nil)
        }
    }

    /// Starts publishing to the sinks of ``Purpose/publishing``, and the source if it does not run yet.
    ///
    /// Does nothing if it publishes already.
    ///
    /// - Throws: what the sinks and the source throw, with publishing not started; ``StreamError/Code/wrongOrder``
    ///   after the engine was disposed of, and from within a sink of the channel.
    public func startPublishing() throws(StreamError) {
        try change("start publishing") { (state) throws(StreamError) in
            guard !state.running.contains(.publishing) else { return }
            try begin(.publishing, state)
            state.running.insert(.publishing)
            show(state)
        }
    }

    /// Ends publishing, and stops the source unless there is a preview.
    public func stopPublishing() { finish { self.end(.publishing, &$0) } }

    /// Whether preview and publishing run.
    public var running: Set<Purpose> { shown.withLock { $0 } }

    /// What became of the frames for a sink so far; `nil` while it gets none.
    public func statistics(of sink: any VideoSink) -> ConversionStatistics? { engine.statistics(of: sink) }

    // MARK: For the engine

    func dispose() {
        let work: @Sendable () -> Void = { [self] in
            let last = steps.take { state in
                for purpose in Purpose.allCases { end(purpose, &state) }
                engine.dispose()
                defer { state = State(isDisposed: true) }
                return state
            }
            // Released without the lock, which sinks may need when they are released, and handlers while they run.
            _ = last
            callbacks.close()
        }
        guard isCallingSink else { return work() }
        try? SystemThread(for: name) { work() }.detach()
    }

    var isCallingSink: Bool { engine.stream.isCallingSink }

    // MARK: Steps

    private var name: String { id.description }

    private func makeCustomSink(_ custom: CustomRender) -> FrameHandler {
        let (handler, id, look) = (custom.handler, id, look)
        return custom.makeSink { frame in
            let flip: VideoMirror = look.withLock { $0.mirrorMode } == .off ? .unmirrored : .horizontal
            handler.didCapture(frame, of: id, flip: flip)
        }
    }

    /// The sinks that a purpose has now.
    private func sinks(_ purpose: Purpose, _ state: State) -> [any VideoSink] {
        let own = state.sinks[purpose] ?? []
        guard purpose == .preview else { return own }
        return own + [state.renderer, state.canvas, state.customSink].compactMap(\.self)
    }

    private func attach(_ sink: any VideoSink, _ purpose: Purpose) throws(StreamError) {
        try engine.add(sink) { [weak self] frame in
            guard let self else { return nil }
            return adjust(&frame, for: purpose)
        }
    }

    private func begin(_ purpose: Purpose, _ state: State) throws(StreamError) {
        var attached: [any VideoSink] = []
        do throws(StreamError) {
            for sink in sinks(purpose, state) {
                // A custom renderer mirrors by itself.
                if sink === state.customSink { try engine.add(sink) } else { try attach(sink, purpose) }
                attached.append(sink)
            }
            try engine.start()
        } catch {
            for sink in attached { engine.remove(sink) }
            throw error
        }
    }

    private func end(_ purpose: Purpose, _ state: inout State) {
        guard state.running.remove(purpose) != nil else { return }
        show(state)
        if state.running.isEmpty { engine.stream.stop() }
        for sink in sinks(purpose, state) { engine.remove(sink) }
    }

    private func show(_ state: State) { shown.withLock { $0 = state.running } }

    /// Takes a step that begins something; throws if it is called from within a sink.
    private func change(
        _ action: String, _ work: (inout State) throws(StreamError) -> Void
    ) throws(StreamError) {
        guard !engine.stream.isCallingSink else {
            throw StreamError(
                .wrongOrder, "\(name) cannot \(action) from within its own sink: do it on another thread.")
        }
        try steps.take { (state) throws(StreamError) in
            guard !state.isDisposed else {
                throw StreamError(.wrongOrder, "\(name) cannot \(action): its engine was disposed of. Make a new one.")
            }
            try work(&state)
        }
    }

    /// Takes a step that ends something.
    ///
    /// From within a sink, it does so on another thread, because the step waits for that very call.
    private func finish(_ work: @escaping @Sendable (inout State) -> Void) {
        if engine.stream.isCallingSink { steps.takeElsewhere(name, work) } else { steps.take(work) }
    }
}

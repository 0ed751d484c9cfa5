public import MediaIO
public import VideoWall

/// A wall as a source of frames: to publish, record or analyse what it shows, without a window.
///
///     let door = FrameMailbox()
///     let rendered = RenderedWall(size: VideoSize(width: 1280, height: 720), rate: Rational(30)) {
///         let wall = Wall()
///         wall.addTile(named: "door", mailbox: door)
///         return wall
///     }
///     try engine.setVideoSource(rendered)
///
/// The wall belongs to the source's own thread, which draws and delivers a picture at each tick; change it with
/// ``change(_:)``. A wall that has not changed is not drawn again: its last picture is delivered again with a new time.
/// Ticks that pass while a picture is drawn are left out. While no sink is visible, nothing is drawn, and the wall is
/// not visible either.
///
/// A renderer that fails is made again every second, and the sinks are told why they wait.
///
/// **Thread:** any. **Cost:** every frame; drawing, and reading back. Memory is pooled.
public final class RenderedWall: VideoSource {
    /// The name to display.
    public let name: String
    /// The size of the frames.
    public let size: VideoSize
    /// The number of frames per second.
    public let rate: Rational
    /// The format of the frames.
    public let format: PixelFormat
    /// The kind of memory of the frames.
    public var bufferKind: BufferKind? { .pixelBuffer }

    private let frames: PushSource
    private let control: Monitor<RenderedWallControl>
    private let makeLoop: @Sendable (PushSource, Monitor<RenderedWallControl>) -> RenderedWallLoop
    /// The steps, one at a time.
    private let steps = Monitor(Steps())

    private struct Steps {
        var lifecycle = StreamLifecycle()
        var thread: SystemThread?
    }

    /// Creates a source; nothing is drawn yet.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - size: the size of the frames.
    ///   - rate: the number of frames per second, more than 0; fewer are made if the sinks want fewer.
    ///   - format: their format: ``PixelFormat/rgba32``, ``PixelFormat/bgra32``, ``PixelFormat/i420`` or
    ///     ``PixelFormat/i010``.
    ///   - renderer: which renderer draws.
    ///   - makeWall: makes the wall, on the source's thread.
    public init(
        name: String = "wall", size: VideoSize, rate: Rational, format: PixelFormat = .rgba32,
        renderer: RendererChoice = .auto, makeWall: @escaping @Sendable () -> Wall = { Wall() }
    ) {
        (self.name, self.size, self.rate, self.format) = (name, size, rate, format)
        frames = PushSource(name: name, bufferKind: .pixelBuffer)
        control = Monitor(RenderedWallControl())
        makeLoop = { frames, control in
            RenderedWallLoop(
                frames: frames, control: control, size: size, rate: rate, format: format, choice: renderer,
                makeWall: makeWall)
        }
    }

    deinit { dispose() }

    /// Changes the wall, on the source's thread and in the order of these calls, before the next picture.
    ///
    /// Changes before ``initialize(consumer:)`` wait until then; those after ``dispose()`` are ignored.
    public func change(_ body: @escaping @Sendable (Wall) -> Void) {
        control.change { control in if !control.hasEnded { control.changes.append(body) } }
    }

    // MARK: VideoSource

    /// Makes the renderer on a thread of its own.
    ///
    /// - Throws: ``StreamError/Code/unsupported`` for another format, ``StreamError/Code/cannotOpen`` with the reason
    ///   if no renderer can be made, or not for this size; ``StreamError/Code/wrongOrder``.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try steps.withLock { (steps) throws(StreamError) in
            var lifecycle = steps.lifecycle
            var made: SystemThread?
            try lifecycle.take(.initialize, of: name) { () throws(StreamError) in
                made = try open()
                try frames.initialize(consumer: consumer)
            }
            (steps.lifecycle, steps.thread) = (lifecycle, made)
        }
    }

    /// Starts the thread, and waits until it has a renderer.
    private func open() throws(StreamError) -> SystemThread {
        let opening = Monitor<Result<Void, StreamError>?>(nil)
        let (makeLoop, frames, control) = (makeLoop, frames, control)
        let thread = try SystemThread(for: name) {
            // Neither the thread nor the wall retains the source.
            var loop = makeLoop(frames, control)
            let result = Result { () throws(StreamError) in try loop.open() }
            opening.change { $0 = result }
            if case .success = result { loop.run() }
        }
        guard case .failure(let error) = opening.wait({ $0 }) else { return thread }
        thread.join()
        throw error
    }

    /// Delivers a picture at once, and then at each tick.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) {
        try steps.withLock { (steps) throws(StreamError) in
            try steps.lifecycle.take(.start, of: name) { () throws(StreamError) in try frames.start() }
            control.change { $0.isRunning = true }
        }
    }

    /// Delivers and draws nothing further.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() {
        steps.withLock { steps in
            control.change { $0.isRunning = false }
            // Stopping is never illegal and its work does not throw.
            try? steps.lifecycle.take(.stop, of: name) { () throws(StreamError) in }
        }
        // Without the lock, because the consumer may need it.
        frames.stop()
    }

    /// Ends the thread, and with it the wall and its renderer.
    public func dispose() {
        control.change { control in
            control.hasEnded = true
            control.changes = []
        }
        let thread = steps.withLock { steps in
            try? steps.lifecycle.take(.stop, of: name) { () throws(StreamError) in }
            try? steps.lifecycle.take(.dispose, of: name) { () throws(StreamError) in }
            defer { steps.thread = nil }
            return steps.thread
        }
        frames.dispose()
        // A consumer may dispose of the source from within its own call.
        thread?.finish()
    }

    /// Delivers no more frames per second than are wanted, and draws nothing while no sink is visible.
    public func adapt(to wants: VideoSinkWants) {
        frames.adapt(to: wants)
        control.change { $0.wants = wants }
    }

    // MARK: Sequences

    /// Opens and starts the source, and hands out the pictures of the wall, the newest only.
    ///
    ///     for await frame in try await rendered.pictures() { analyse(frame) }
    ///
    /// A picture that has not been taken when the next one is ready is dropped. When the loop ends or its task is
    /// cancelled, the source is disposed of, which ends the sequence, too.
    ///
    /// - Throws: what ``initialize(consumer:)`` and ``start()`` throw; ``StreamError/Code/wrongOrder`` if the source
    ///   has another consumer, which keeps it.
    public func pictures() async throws(StreamError) -> AsyncStream<VideoFrame> {
        // A stream that cannot open a source disposes of it.
        guard steps.withLock({ $0.lifecycle.state == .created }) else {
            throw StreamError(.wrongOrder, "\(name) has a consumer already: make another wall for a sequence.")
        }
        let (pictures, continuation) = AsyncStream.makeStream(of: VideoFrame.self, bufferingPolicy: .bufferingNewest(1))
        let stream = VideoStream(source: self, sinks: [PictureSequenceSink(continuation)])
        let name = name
        continuation.onTermination = { _ in
            // Not here: a task that is cancelled would wait for the picture that is being drawn.
            try? SystemThread(for: name) { stream.dispose() }.detach()
        }
        do throws(StreamError) {
            try await stream.open()
        } catch {
            continuation.finish()
            throw error
        }
        return pictures
    }
}

/// Passes pictures on to a sequence.
private final class PictureSequenceSink: VideoSink {
    private let continuation: AsyncStream<VideoFrame>.Continuation

    init(_ continuation: AsyncStream<VideoFrame>.Continuation) { self.continuation = continuation }

    func consume(_ frame: VideoFrame) { continuation.yield(frame) }

    func dispose() { continuation.finish() }
}

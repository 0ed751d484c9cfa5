/// For code that is `async`.
extension VideoStream {
    /// Initializes and starts the stream on a thread of its own, since opening a device or a connection takes time.
    ///
    /// A stream that is initialized already is only started; a started one is left as it is. Cancelling the task does
    /// not interrupt the opening: ``dispose()`` afterwards ends what it has begun.
    ///
    /// - Throws: what ``initialize()`` and ``start()`` throw.
    public func open() async throws(StreamError) {
        let result: Result<Void, StreamError> = await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { [self] in
                continuation.resume(returning: Result { () throws(StreamError) in try openNow() })
            }
            do throws(StreamError) {
                try SystemThread(for: source.name, run: work).detach()
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        try result.get()
    }

    private func openNow() throws(StreamError) {
        if state == .created { try initialize() }
        if state != .started { try start() }
    }

    /// The frames from now on, of which only the newest is kept: if the loop is slower than the stream, frames are
    /// dropped.
    ///
    ///     for await frame in stream.frames { analyse(frame) }
    ///
    /// Each use makes a new sequence, which is a sink of the stream until the loop ends, its task is cancelled, the
    /// source ends or fails, or the stream is disposed of. All of these end the loop. After ``dispose()`` the sequence
    /// is empty.
    ///
    /// **Cost:** every frame; a short lock, and what `AsyncStream` allocates.
    public var frames: AsyncStream<VideoFrame> {
        let (frames, continuation) = AsyncStream.makeStream(
            of: VideoFrame.self, bufferingPolicy: .bufferingNewest(1))
        let sink = FrameSequenceSink(continuation, stream: self)
        continuation.onTermination = { [weak self] reason in
            // On another thread: here, the cancelled task would wait for a stream that is being opened.
            if case .cancelled = reason { self?.finish { $0.remove(sink) } }
        }
        do throws(StreamError) { try add(sink) } catch { continuation.finish() }
        return frames
    }
}

/// Passes frames on to a sequence.
private final class FrameSequenceSink: VideoSink {
    private let continuation: AsyncStream<VideoFrame>.Continuation
    private let stream: WeakStream

    private struct WeakStream: Sendable { weak let stream: VideoStream? }

    init(_ continuation: AsyncStream<VideoFrame>.Continuation, stream: VideoStream) {
        self.continuation = continuation
        self.stream = WeakStream(stream: stream)
    }

    func consume(_ frame: VideoFrame) { continuation.yield(frame) }

    func sourceDidChange(_ condition: SourceCondition) {
        switch condition {
        case .waiting, .live: return
        case .ended, .failed:
            continuation.finish()
            if let stream = stream.stream { stream.finish { [self] in $0.remove(self) } }
        }
    }

    func dispose() { continuation.finish() }
}

public import MediaIO

/// Runs work that may wait for a device or a connection on a thread of its own.
private func onThread<Result: Sendable>(
    for name: String, _ work: @escaping @Sendable () throws(StreamError) -> Result
) async throws(StreamError) -> Result {
    let result: Swift.Result<Result, StreamError> = await withCheckedContinuation { continuation in
        do throws(StreamError) {
            try SystemThread(for: name) { continuation.resume(returning: Swift.Result(catching: work)) }.detach()
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
    return try result.get()
}

/// Calls for `async` code, which open sources and sinks on another thread. Cancelling the task does not interrupt them.
///
/// They are left out of the documentation, where links could not tell them from those without `await`.
extension VideoEngine {
    /// The same as the call without `await`, on another thread.
    @_documentation(visibility: private)
    public func setVideoSource(
        _ source: (any VideoSource)?, for channel: PublishChannel = .main
    ) async throws(StreamError) { try await self.channel(channel).setVideoSource(source) }

    /// The same as the call without `await`, on another thread.
    @_documentation(visibility: private)
    public func setLocalVideoRenderer(
        _ renderer: (any VideoSink)?, for channel: PublishChannel = .main
    ) async throws(StreamError) { try await self.channel(channel).setLocalVideoRenderer(renderer) }

    /// The same as the call without `await`, on another thread.
    @_documentation(visibility: private)
    public func startPreview(
        canvas: (any VideoSink)? = nil, for channel: PublishChannel = .main
    ) async throws(StreamError) { try await self.channel(channel).startPreview(canvas: canvas) }

    /// Adds a remote stream, and starts its source on another thread.
    ///
    /// - Throws: what the call without `await` throws.
    @discardableResult
    @_documentation(visibility: private)
    public func startPlayingStream(
        _ id: StreamID, from source: any VideoSource, canvas: (any VideoSink)? = nil
    ) async throws(StreamError) -> RemoteStream {
        try await onThread(for: id.description) { [self] () throws(StreamError) in
            try startPlayingStream(id, from: source, canvas: canvas)
        }
    }

    /// Sets the renderer of a remote stream on another thread.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func setRemoteVideoRenderer(_ renderer: (any VideoSink)?, for id: StreamID) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in
            try setRemoteVideoRenderer(renderer, for: id)
        }
    }
}

extension LocalChannel {
    /// Replaces the source on another thread, since opening a camera takes time.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func setVideoSource(_ source: (any VideoSource)?) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try setVideoSource(source) }
    }

    /// Makes the program the source on another thread, since ending the source before it takes time.
    ///
    /// - Throws: what the call without `await` throws.
    @discardableResult
    @_documentation(visibility: private)
    public func enableCustomCapture(
        _ bufferKind: BufferKind? = nil, contentHint: VideoContentHint = .unspecified,
        captureType: VideoCaptureType = .unknown, handler: (any CustomCaptureHandler)? = nil
    ) async throws(StreamError) -> CustomCapture {
        try await onThread(for: id.description) { [self] () throws(StreamError) in
            try enableCustomCapture(
                bufferKind, contentHint: contentHint, captureType: captureType, handler: handler)
        }
    }

    /// Adds a sink on another thread.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func add(_ sink: any VideoSink, for purpose: Purpose) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try add(sink, for: purpose) }
    }

    /// Sets the renderer of the preview on another thread.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func setLocalVideoRenderer(_ renderer: (any VideoSink)?) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try setLocalVideoRenderer(renderer) }
    }

    /// Starts the preview on another thread, since opening a camera takes time.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func startPreview(canvas: (any VideoSink)? = nil) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try startPreview(canvas: canvas) }
    }

    /// Starts publishing on another thread, since opening a camera takes time.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func startPublishing() async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try startPublishing() }
    }
}

extension RemoteStream {
    /// Adds a sink on another thread.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func add(_ sink: any VideoSink) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try add(sink) }
    }

    /// Sets the renderer on another thread.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func setVideoRenderer(_ renderer: (any VideoSink)?) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try setVideoRenderer(renderer) }
    }

    /// Replaces the source on another thread, since opening a connection takes time.
    ///
    /// - Throws: what the call without `await` throws.
    @_documentation(visibility: private)
    public func setVideoSource(_ source: any VideoSource) async throws(StreamError) {
        try await onThread(for: id.description) { [self] () throws(StreamError) in try setVideoSource(source) }
    }
}

/// The one place where a frame changes threads: it holds the newest frame until the renderer takes it.
///
/// Live video wants the newest frame, so there is no queue: a frame that is replaced before it was taken is *dropped*,
/// and counted.
///
/// **Thread:** any. **Cost:** every frame; one lock, held for a pointer swap.
public final class FrameMailbox: VideoSink {
    /// Counts since the mailbox was made.
    public struct Statistics: Hashable, Sendable {
        /// Frames that were put in.
        public var received = 0
        /// Frames that were replaced before they were taken.
        public var dropped = 0
    }

    private struct Content {
        var frame: VideoFrame?
        var condition = SourceCondition.waiting("no frame yet")
        var statistics = Statistics()
    }

    private let content = Monitor(Content())
    private let wake: (@Sendable () -> Void)?

    /// Creates an empty mailbox.
    ///
    /// - Parameter wake: called after each change, on the thread that made it: wakes a render loop that sleeps.
    public init(wake: (@Sendable () -> Void)? = nil) {
        self.wake = wake
    }

    /// Puts a frame in the place of the one that waits, if any.
    public func put(_ frame: VideoFrame) {
        // The old frame leaves the lock with us: releasing it may give memory back, which must not happen inside.
        let replaced = content.withLock { content -> VideoFrame? in
            content.statistics.received += 1
            if content.frame != nil { content.statistics.dropped += 1 }
            content.condition = .live
            return exchange(&content.frame, with: frame)
        }
        _ = replaced
        wake?()
    }

    /// Takes the newest frame, or `nil` when none has come since the last time.
    public func take() -> VideoFrame? {
        content.withLock { exchange(&$0.frame, with: nil) }
    }

    /// How the source is doing.
    public var condition: SourceCondition { content.withLock { $0.condition } }

    /// Counts since the mailbox was made.
    public var statistics: Statistics { content.withLock { $0.statistics } }

    /// Whether a frame waits to be taken.
    public var hasFrame: Bool { content.withLock { $0.frame != nil } }

    // MARK: VideoSink

    /// Puts the frame in: the same as ``put(_:)``.
    public func consume(_ frame: VideoFrame) { put(frame) }

    /// Remembers the condition for whoever draws the tile.
    public func sourceDidChange(_ condition: SourceCondition) {
        content.withLock { $0.condition = condition }
        wake?()
    }

    /// Needs nothing.
    public func initialize() throws(StreamError) {}

    /// Needs nothing.
    public func start() throws(StreamError) {}

    /// Keeps the frame that waits: it is the last picture.
    public func stop() {}

    /// Lets go of the frame that waits.
    public func dispose() { _ = take() }

    private func exchange(_ slot: inout VideoFrame?, with frame: VideoFrame?) -> VideoFrame? {
        let old = slot
        slot = frame
        return old
    }
}

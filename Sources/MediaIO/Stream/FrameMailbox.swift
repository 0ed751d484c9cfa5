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
        /// Frames that were replaced or cleared before they were taken.
        public var dropped = 0
    }

    private struct Content {
        var frame: VideoFrame?
        var condition = FrameMailbox.nothingYet
        var statistics = Statistics()
        var owners = 0
        var generation = 0
    }

    /// What the tiles that show the mailbox want; everything while there are none.
    public let demand: SinkDemand? = SinkDemand()

    private static let nothingYet = SourceCondition.waiting("no frame yet")

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

    /// Empties the mailbox, as if no frame had come yet; whoever shows the last picture learns it by ``generation``.
    public func clear() {
        let cleared = content.withLock { Self.clear(&$0) }
        _ = cleared
        wake?()
    }

    /// How often the mailbox was cleared: a picture that was taken before is of a stream that is over.
    public var generation: Int { content.withLock { $0.generation } }

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

    /// Belongs to one stream more.
    public func initialize() throws(StreamError) { content.withLock { $0.owners += 1 } }

    /// Belongs to one stream less, and is cleared with the last: one that fills it already keeps its frame.
    public func dispose() {
        let cleared = content.withLock { content -> VideoFrame? in
            content.owners = max(content.owners - 1, 0)
            return content.owners == 0 ? Self.clear(&content) : nil
        }
        _ = cleared
        wake?()
    }

    private static func clear(_ content: inout Content) -> VideoFrame? {
        if content.frame != nil { content.statistics.dropped += 1 }
        content.condition = nothingYet
        content.generation += 1
        defer { content.frame = nil }
        return content.frame
    }

    private func exchange(_ slot: inout VideoFrame?, with frame: VideoFrame?) -> VideoFrame? {
        let old = slot
        slot = frame
        return old
    }
}

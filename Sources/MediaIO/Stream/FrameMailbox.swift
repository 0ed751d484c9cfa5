/// The hand-off between threads: it holds the newest frame until the renderer takes it.
///
/// Live video needs only the newest frame, so there is no queue: a frame replaced before it was taken is *dropped*,
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
        /// Frames that the source left out because they would have been late, as far as the frame rate tells.
        public var omitted = 0
    }

    private struct Content {
        var frame: VideoFrame?
        /// When the frame was put in.
        var arrival = MonotonicTime(sinceBoot: .zero)
        var condition = FrameMailbox.nothingYet
        var statistics = Statistics()
        var owners = 0
        var generation = 0
    }

    /// The combined wants of the tiles that show the mailbox; everything while there are none.
    public let demand: SinkDemand? = SinkDemand()

    private static let nothingYet = SourceCondition.waiting("no frame yet")

    private let content = Monitor(Content())
    private let wake: (@Sendable () -> Void)?

    /// Creates an empty mailbox.
    ///
    /// - Parameter wake: called after each change, on the thread that made the change, to wake a sleeping render loop.
    public init(wake: (@Sendable () -> Void)? = nil) {
        self.wake = wake
    }

    /// Puts a frame in, replacing the waiting one, if any.
    public func put(_ frame: VideoFrame) {
        // The old frame is released outside the lock, since that may return memory.
        let arrival = MonotonicTime.now
        let replaced = content.withLock { content -> VideoFrame? in
            content.arrival = arrival
            content.statistics.received += 1
            if content.frame != nil { content.statistics.dropped += 1 }
            content.condition = .live
            return exchange(&content.frame, with: frame)
        }
        _ = replaced
        wake?()
    }

    /// Takes the newest frame, or `nil` if there is no new one since the last call.
    public func take() -> VideoFrame? {
        content.withLock { exchange(&$0.frame, with: nil) }
    }

    /// Takes the newest frame, and when it was put in.
    package func takeTimed() -> (frame: VideoFrame, arrival: MonotonicTime)? {
        content.withLock { content in exchange(&content.frame, with: nil).map { ($0, content.arrival) } }
    }

    /// Empties the mailbox, as if it had received no frame, and changes ``generation``.
    public func clear() {
        let cleared = content.withLock { Self.clear(&$0) }
        _ = cleared
        wake?()
    }

    /// The number of times the mailbox was cleared; frames of an earlier generation are obsolete.
    public var generation: Int { content.withLock { $0.generation } }

    /// The condition of the source.
    public var condition: SourceCondition { content.withLock { $0.condition } }

    /// Counts since the mailbox was made.
    public var statistics: Statistics { content.withLock { $0.statistics } }

    /// Whether a frame waits to be taken.
    public var hasFrame: Bool { content.withLock { $0.frame != nil } }

    /// Whether a frame waits, or the condition or the generation is another one.
    ///
    /// **Cost:** every frame; one short lock.
    package func hasChanges(since condition: SourceCondition, generation: Int) -> Bool {
        content.withLock { $0.frame != nil || $0.generation != generation || $0.condition != condition }
    }

    // MARK: VideoSink

    /// Puts the frame in: the same as ``put(_:)``.
    public func consume(_ frame: VideoFrame) { put(frame) }

    /// Counts frames that the source left out.
    public func sourceDidOmit(_ count: Int) { content.withLock { $0.statistics.omitted += count } }

    /// Stores the condition for the tile.
    public func sourceDidChange(_ condition: SourceCondition) {
        content.withLock { $0.condition = condition }
        wake?()
    }

    /// Drops a frame that waits; the tile keeps what it shows.
    public func sourceDidSwitch() {
        let dropped = content.withLock { content in
            if content.frame != nil { content.statistics.dropped += 1 }
            return exchange(&content.frame, with: nil)
        }
        _ = dropped
    }

    /// Registers one more stream that fills the mailbox.
    public func initialize() throws(StreamError) { content.withLock { $0.owners += 1 } }

    /// Unregisters a stream, and clears the mailbox with the last one.
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

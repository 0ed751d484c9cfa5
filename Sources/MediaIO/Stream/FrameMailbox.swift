/// The hand-off between threads: it holds the newest frame until the renderer takes it.
///
/// Live video needs only the newest frame, so there is no queue: a frame replaced before it was taken is *dropped*,
/// and counted. Several tiles may show one mailbox: each gets the frame that waits when it joins, if there is one, and all
/// later ones.
///
/// Encoded packets are ignored, because they are not pictures: a source of packets needs a ``DecodingSource``.
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
        /// The number of the newest frame, from 1.
        var number = 0
        var readers = 0
        /// How many of the readers have taken the newest frame.
        var takers = 0
        /// The number of encoded packets that arrived before the first frame; the maximum once a frame has arrived.
        var packets = 0
    }

    /// What a reader learns of the mailbox.
    package struct News {
        /// The newest frame and when it was put in; `nil` if the reader has taken it already.
        package fileprivate(set) var newest: (frame: VideoFrame, arrival: MonotonicTime)?
        /// The condition of the source.
        package let condition: SourceCondition
        /// The mailbox's ``FrameMailbox/generation``.
        package let generation: Int
    }

    /// One of several tiles that show a mailbox: it gets each newest frame once, whether or not the others take it.
    ///
    /// **Thread:** one at a time.
    package final class Reader {
        /// The mailbox.
        package let mailbox: FrameMailbox
        /// The number of the frame that was taken last.
        fileprivate var seen = 0

        fileprivate init(_ mailbox: FrameMailbox) { self.mailbox = mailbox }

        deinit { mailbox.remove(self) }
    }

    /// After this many packets without a picture, the conclusion is that nothing decodes them.
    private static let maximumPackets = 60
    private static let packetsOnly = SourceCondition.waiting(
        "The source delivers packets, which are not decoded: put a DecodingSource around it.")

    /// The combined wants of the tiles that show the mailbox; everything while there are none.
    public let demand: SinkDemand? = SinkDemand()

    private static let nothingYet = SourceCondition.waiting("no frame yet")

    private let content = Monitor(Content())
    private let wake: (@Sendable () -> Void)?
    private let now: @Sendable () -> MonotonicTime

    /// Creates an empty mailbox.
    ///
    /// - Parameter wake: called after each change, on the thread that made the change, to wake a sleeping render loop.
    public convenience init(wake: (@Sendable () -> Void)? = nil) { self.init(wake: wake) { .now } }

    /// Creates a mailbox with a clock of its own.
    package init(wake: (@Sendable () -> Void)? = nil, now: @escaping @Sendable () -> MonotonicTime) {
        (self.wake, self.now) = (wake, now)
    }

    /// Puts a frame in, replacing the waiting one, if any.
    ///
    /// An encoded packet is ignored.
    public func put(_ frame: VideoFrame) {
        if frame.image.isOf(.encoded) { return notePacket() }
        // The old frame is released outside the lock, since that may return memory.
        let arrival = now()
        let replaced = content.withLock { content -> VideoFrame? in
            content.arrival = arrival
            content.statistics.received += 1
            if content.frame != nil, content.takers == 0 { content.statistics.dropped += 1 }
            content.condition = .live
            content.number += 1
            (content.takers, content.packets) = (0, Self.maximumPackets)
            return exchange(&content.frame, with: frame)
        }
        _ = replaced
        wake?()
    }

    /// Takes the newest frame, or `nil` if there is no new one since the last call.
    ///
    /// A frame that is taken this way is not shown by any tile that has not taken it yet.
    public func take() -> VideoFrame? {
        content.withLock { exchange(&$0.frame, with: nil) }
    }

    /// Makes a reader, which gets the frame that waits and those after it.
    package func makeReader() -> Reader {
        content.withLock { $0.readers += 1 }
        return Reader(self)
    }

    /// Takes the newest frame for a reader, with its arrival time, and reads the rest under the same lock.
    ///
    /// The last reader to take the frame empties the mailbox.
    ///
    /// **Cost:** every frame; one short lock.
    package func takeNews(for reader: Reader) -> News {
        content.withLock { content in
            var news = News(condition: content.condition, generation: content.generation)
            guard let frame = content.frame, content.number > reader.seen else { return news }
            reader.seen = content.number
            content.takers += 1
            if content.takers >= content.readers { content.frame = nil }
            news.newest = (frame, content.arrival)
            return news
        }
    }

    private func remove(_ reader: Reader) {
        let last = content.withLock { content -> VideoFrame? in
            content.readers -= 1
            guard content.frame != nil else { return nil }
            if reader.seen == content.number { content.takers -= 1 }
            // Empties the mailbox if all remaining readers have taken the frame.
            guard content.takers > 0, content.takers >= content.readers else { return nil }
            return exchange(&content.frame, with: nil)
        }
        _ = last
    }

    private func notePacket() {
        let isLast = content.withLock { content in
            guard content.packets < Self.maximumPackets else { return false }
            content.packets += 1
            // What the source itself says is more useful.
            guard content.packets == Self.maximumPackets, content.condition == Self.nothingYet else { return false }
            content.condition = Self.packetsOnly
            return true
        }
        if isLast { wake?() }
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

    /// Whether a frame waits for a reader, or the condition or the generation has changed.
    ///
    /// **Cost:** every frame; one short lock.
    package func hasChanges(for reader: Reader, since condition: SourceCondition, generation: Int) -> Bool {
        content.withLock { content in
            content.frame != nil && content.number > reader.seen || content.generation != generation
                || content.condition != condition
        }
    }

    // MARK: VideoSink

    /// Puts the frame in: the same as ``put(_:)``.
    public func consume(_ frame: VideoFrame) { put(frame) }

    /// Counts frames that the source left out.
    public func sourceDidOmit(_ count: Int) { content.withLock { $0.statistics.omitted += count } }

    /// Stores the condition for the tile.
    ///
    /// What its owner does not lend any more (``StreamError/Code/refused``) is not shown any more, either: the mailbox is
    /// emptied, and ``generation`` changes.
    public func sourceDidChange(_ condition: SourceCondition) {
        let cleared = content.withLock { content -> VideoFrame? in
            defer { content.condition = condition }
            if case .failed(_, .refused) = condition { return Self.clear(&content) }
            return nil
        }
        _ = cleared
        wake?()
    }

    /// Drops a frame that waits; the tile keeps what it shows.
    public func sourceDidSwitch() {
        let dropped = content.withLock { content in
            if content.frame != nil, content.takers == 0 { content.statistics.dropped += 1 }
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
        if content.frame != nil, content.takers == 0 { content.statistics.dropped += 1 }
        content.condition = nothingYet
        content.packets = 0
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

/// The bounds of a queue of packets, beyond which its receiver loses packets.
public struct PacketQueueLimits: Hashable, Sendable {
    /// The most entries that wait.
    public var count: Int
    /// The most bytes that wait; a single larger packet or picture is allowed.
    public var byteCount: Int
    /// The longest that an entry waits.
    public var duration: Duration

    /// Creates bounds: 120 entries, 64 MiB and four seconds, unless said otherwise.
    public init(count: Int = 120, byteCount: Int = 64 << 20, duration: Duration = .seconds(4)) {
        self.count = count
        self.byteCount = byteCount
        self.duration = duration
    }
}

/// Packets on their way to a thread that uses them, and the pictures and conditions between them.
///
/// If the receiver is too slow, everything that waits is left out, and all packets up to the next key frame of a track
/// of video with them: packets depend on the packets before them. Packets of other tracks need no key frame.
///
/// **Thread:** any. **Cost:** every packet; one short lock.
final class PacketQueue: Sendable {
    /// What the receiver does next.
    enum Entry: Sendable {
        /// A packet; for one that came as a frame, with that frame's time and attributes.
        case packet(EncodedPacket, time: Duration?, attributes: FrameAttributes?)
        /// A picture that was not encoded.
        case picture(VideoFrame)
        case condition(SourceCondition)
        /// So many packets and pictures were left out. If the next packet with which decoding can begin is not in the
        /// queue yet, the source must be asked for one.
        case lost(Int, needsKeyFrame: Bool)
        /// Another connection, or the same source after it was stopped: the packets do not continue those before.
        case reset
    }

    private struct Waiting {
        var entry: Entry
        var byteCount: Int
        var since: MonotonicTime
    }

    private struct State {
        var entries: [Waiting] = []
        var byteCount = 0
        /// The tracks of video whose next packet must be a key frame, because packets before it were left out.
        var tracksInNeed: Set<Int> = []
        /// The tracks of video that have begun, each with a key frame; `nil` if all begin with any packet.
        var begun: Set<Int>?
        var hasEnded = false
        /// Whether it ends after what waits.
        var isFinishing = false
        var lost = 0

        var isOpen: Bool { !hasEnded && !isFinishing }
    }

    private let limits: PacketQueueLimits
    private let now: @Sendable () -> MonotonicTime
    private let state = Monitor(State())

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - limits: its bounds.
    ///   - now: the clock, which tests replace.
    init(_ limits: PacketQueueLimits = PacketQueueLimits(), now: @escaping @Sendable () -> MonotonicTime = { .now }) {
        (self.limits, self.now) = (limits, now)
    }

    /// The packets and pictures that were left out so far.
    var lost: Int { state.withLock { $0.lost } }

    /// Appends a packet, unless it depends on packets that were left out.
    func append(_ packet: EncodedPacket, time: Duration? = nil, attributes: FrameAttributes? = nil) {
        let now = now()
        let old = state.change { state -> [Waiting] in
            guard state.isOpen else { return [] }
            let old = makeRoom(for: packet.byteCount, now, &state)
            guard Self.mayFollow(packet, now, &state) else { return old }
            let entry = Entry.packet(packet, time: time, attributes: attributes)
            state.entries.append(Waiting(entry: entry, byteCount: packet.byteCount, since: now))
            state.byteCount += packet.byteCount
            return old
        }
        // Released without the lock.
        _ = old
    }

    /// Appends a frame: a packet, or a picture that needs no decoder.
    func append(_ frame: VideoFrame) {
        if case .encoded(let packet) = frame.image {
            return append(packet, time: frame.presentationTime, attributes: frame.attributes)
        }
        append(.picture(frame), Self.byteCount(frame))
    }

    /// Appends a condition.
    func append(_ condition: SourceCondition) { append(.condition(condition), 0) }

    private func append(_ entry: Entry, _ byteCount: Int) {
        let now = now()
        let old = state.change { state -> [Waiting] in
            guard state.isOpen else { return [] }
            let old = makeRoom(for: byteCount, now, &state)
            state.entries.append(Waiting(entry: entry, byteCount: byteCount, since: now))
            state.byteCount += byteCount
            return old
        }
        _ = old
    }

    /// Appends the mark of a new connection: what follows does not continue what waits.
    func appendReset() {
        append(.reset, 0)
        state.withLock { $0.tracksInNeed = [] }
    }

    /// Leaves out packets of video up to the next key frame of their track, uncounted: who joins has lost nothing.
    ///
    /// - Parameter begun: the tracks of which the receiver has the packets before.
    func awaitKeyFrames(except begun: Set<Int> = []) { state.withLock { ($0.begun, $0.tracksInNeed) = (begun, []) } }

    /// Leaves out everything, uncounted, as when the source is stopped.
    func clear() {
        let now = now()
        let old = state.change { state -> State? in
            guard !state.hasEnded else { return nil }
            defer {
                state = State(entries: [Waiting(entry: .reset, byteCount: 0, since: now)], lost: state.lost)
            }
            return state
        }
        _ = old
    }

    /// Leaves out the packets that wait before the newest key frame, counted; does nothing if there is none.
    func skipToNewestKeyFrame() {
        let now = now()
        let old = state.change { state -> [Waiting] in
            guard let newest = state.entries.lastIndex(where: { Self.isKeyFrame($0.entry) }), newest > 0 else {
                return []
            }
            let rest = Array(state.entries[newest...])
            let old = Array(state.entries[..<newest])
            state.entries = old
            drop(now, &state)
            state.tracksInNeed = []
            state.entries += rest
            state.byteCount = rest.reduce(0) { $0 + $1.byteCount }
            return old
        }
        _ = old
    }

    /// Ends the queue for good.
    func end() {
        let old = state.change { state in
            defer { state = State(hasEnded: true, lost: state.lost) }
            return state
        }
        _ = old
    }

    /// Ends the queue for good after what waits.
    func finish() { state.change { $0.isFinishing = true } }

    /// Waits for the next entry; `nil` after the end.
    func next() -> Entry? { nextWithDelay()?.entry }

    /// Waits for the next entry, and says how long it has been in the queue; `nil` after the end.
    func nextWithDelay() -> (entry: Entry, delay: Duration)? {
        let found = state.wait { state -> Waiting?? in
            if state.hasEnded { return .some(nil) }
            guard !state.entries.isEmpty else { return state.isFinishing ? .some(nil) : nil }
            // `removeFirst` allocates where it is not optimised, as in the tests that count allocations.
            var next = state.entries.remove(at: 0)
            state.byteCount -= next.byteCount
            if case .lost(let count, _) = next.entry {
                next.entry = .lost(count, needsKeyFrame: !state.entries.contains { Self.isKeyFrame($0.entry) })
            }
            return next
        }
        return (found ?? nil).map { ($0.entry, now() - $0.since) }
    }

    /// Waits until a time.
    ///
    /// - Returns: false, at once, if the queue has ended, was cleared, or gets another connection.
    func wait(until time: MonotonicTime) -> Bool {
        state.wait(until: time) { state -> Bool? in
            if state.hasEnded { return false }
            let isReset = state.entries.contains { if case .reset = $0.entry { true } else { false } }
            return isReset ? false : nil
        } ?? true
    }

    /// Whether it has ended for good, with all that waited.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Whether nothing waits.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// Whether a key frame waits.
    var hasKeyFrame: Bool { state.withLock { $0.entries.contains { Self.isKeyFrame($0.entry) } } }

    /// If there is no room for another entry, leaves out everything that waits except a reset and the newest condition.
    private func makeRoom(for byteCount: Int, _ now: MonotonicTime, _ state: inout State) -> [Waiting] {
        let oldest = state.entries.first { if case .lost = $0.entry { false } else { true } }
        let isFull =
            state.entries.count >= limits.count
            || byteCount > 0 && state.byteCount > 0 && state.byteCount + byteCount > limits.byteCount
            || oldest.map { now - $0.since > limits.duration } == true
        guard isFull else { return [] }
        let old = state.entries
        drop(now, &state)
        return old
    }

    /// Leaves out everything that waits except a reset and the newest condition.
    private func drop(_ now: MonotonicTime, _ state: inout State) {
        var (lost, count) = (0, 0)
        var (reset, condition) = (Waiting?.none, Waiting?.none)
        for waiting in state.entries {
            switch waiting.entry {
            case .packet(let packet, _, _):
                count += 1
                if packet.track.kind == .video { state.tracksInNeed.insert(packet.track.id) }
            case .picture: count += 1
            case .lost(let earlier, _): lost += earlier
            case .condition: condition = waiting
            case .reset: reset = waiting
            }
        }
        state.entries.removeAll(keepingCapacity: true)
        state.byteCount = 0
        // Without the reset, pictures from before it would be delivered.
        if let reset { state.entries.append(reset) }
        state.lost += count
        if lost + count > 0 {
            state.entries.append(Waiting(entry: .lost(lost + count, needsKeyFrame: true), byteCount: 0, since: now))
        }
        if let condition { state.entries.append(condition) }
    }

    /// Whether a packet does not depend on packets that were left out; if it does, it is left out, too.
    private static func mayFollow(_ packet: EncodedPacket, _ now: MonotonicTime, _ state: inout State) -> Bool {
        let track = packet.track.id
        guard packet.track.kind == .video else { return true }
        if packet.isKeyFrame {
            state.tracksInNeed.remove(track)
            state.begun?.insert(track)
        } else if let begun = state.begun, !begun.contains(track) {
            return false
        } else if state.tracksInNeed.contains(track) {
            lose(1, now, &state)
            return false
        }
        return true
    }

    private static func lose(_ count: Int, _ now: MonotonicTime, _ state: inout State) {
        state.lost += count
        if let last = state.entries.indices.last, case .lost(let lost, _) = state.entries[last].entry {
            state.entries[last].entry = .lost(lost + count, needsKeyFrame: true)
        } else {
            state.entries.append(Waiting(entry: .lost(count, needsKeyFrame: true), byteCount: 0, since: now))
        }
    }

    /// How much memory a frame takes.
    static func byteCount(_ frame: VideoFrame) -> Int {
        switch frame.image {
        case .encoded(let packet): return packet.byteCount
        case .planes(let buffer):
            var count = 0
            for index in 0..<buffer.planeCount { count += buffer.plane(index).bytes.count }
            return count
        // Not this program's memory, and a source has few such buffers.
        case .dmaBuffer, .texture: return 0
        }
    }

    private static func isKeyFrame(_ entry: Entry) -> Bool {
        if case .packet(let packet, _, _) = entry { packet.isKeyFrame && packet.track.kind == .video } else { false }
    }
}

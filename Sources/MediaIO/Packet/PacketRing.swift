/// The newest packets of a stream: for recordings that begin before they were asked for, and for looking back.
///
/// It has the video that is shown and its sound (``TrackInfo/isMain``), from a key frame on. What is older or more than its
/// ``PacketRings`` allow is released from one key frame to the next.
///
///     let rings = PacketRings(byteCount: 64 << 20, duration: .seconds(30))
///     source.packets.ring = rings.makeRing()
///
/// **Thread:** any. **Cost:** every packet is copied once, so that the memory is what was asked for; one short lock.
public final class PacketRing: Sendable {
    /// A packet, as it came.
    package struct Entry: Sendable {
        package var packet: EncodedPacket
        /// The time and the attributes of the frame that it came as; `nil` if it did not.
        package var time: Duration?
        package var attributes: FrameAttributes?
        package var arrival: MonotonicTime
    }

    private struct State {
        var groups: [PacketGroup] = []
        var byteCount = 0
        /// Whether the next packets do not continue those before.
        var isInterrupted = false
    }

    /// How long a group is at least: of streams whose pictures are all key frames, each would be one.
    private static let shortestGroup = Duration.milliseconds(100)

    private let rings: PacketRings
    private let state = Monitor(State())

    init(_ rings: PacketRings) { self.rings = rings }

    deinit { rings.note(-state.withLock { $0.byteCount }) }

    /// The memory that its packets need, in bytes.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// The time from the oldest to the newest packet; 0 without any.
    public var duration: Duration {
        state.withLock { state in
            guard let first = state.groups.first, let last = state.groups.last else { return .zero }
            return last.end - first.begin
        }
    }

    /// The packets from the last key frame that arrived at or before a time; all, if there is none.
    ///
    /// - Parameter time: the time.
    /// - Returns: the packets, and whether the next one continues them.
    package func past(from time: MonotonicTime) -> (entries: [Entry], goesOn: Bool) {
        state.withLock { state in
            let first = state.groups.lastIndex { $0.begin <= time } ?? 0
            let entries = state.groups.dropFirst(first).flatMap { group in (0..<group.count).map { group[$0] } }
            return (entries, !state.isInterrupted)
        }
    }

    /// Adds a packet, unless it depends on packets that are not there.
    func append(_ packet: EncodedPacket, time: Duration?, attributes: FrameAttributes?) {
        guard packet.track.isMain, packet.track.kind != .data else { return }
        let arrival = packet.timing.arrival.map(MonotonicTime.init(sinceBoot:)) ?? .now
        let entry = Entry(packet: packet, time: time, attributes: attributes, arrival: arrival)
        let (old, change) = state.withLock { state -> (PacketGroup?, Int) in
            let before = state.byteCount
            guard Self.append(entry, to: &state) else { return (nil, state.byteCount - before) }
            let old = removeOld(arrival, &state)
            return (old, state.byteCount - before)
        }
        // Released without the lock.
        _ = old
        rings.note(change)
    }

    /// Whether packets have to begin with a key frame again.
    func interrupt() { state.withLock { $0.isInterrupted = true } }

    /// Releases everything.
    func clear() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        rings.note(-old.byteCount)
    }

    /// Releases the packets up to the second key frame; all, if there is no second.
    ///
    /// - Returns: false if there was nothing to release.
    func removeOldest() -> Bool {
        let old = state.withLock { state -> PacketGroup? in
            guard !state.groups.isEmpty else { return nil }
            let old = state.groups.removeFirst()
            state.byteCount -= old.byteCount
            return old
        }
        guard let old else { return false }
        rings.noteRoom(old.byteCount)
        return true
    }

    private static func append(_ entry: Entry, to state: inout State) -> Bool {
        let isKeyFrame = entry.packet.track.kind == .video && entry.packet.isKeyFrame
        let isShort = state.groups.last.map { entry.arrival - $0.begin < shortestGroup } ?? false
        if isKeyFrame, state.isInterrupted || !isShort {
            let group = PacketGroup(capacity: (state.groups.last?.count ?? 0) + 8)
            state.groups.append(group)
            state.byteCount += group.byteCount
            state.isInterrupted = false
        }
        guard !state.groups.isEmpty, !state.isInterrupted else { return false }
        let last = state.groups.count - 1
        let before = state.groups[last].byteCount
        let isKept = state.groups[last].append(entry)
        state.byteCount += state.groups[last].byteCount - before
        if !isKept {
            // There is no memory, and what follows cannot be decoded without it.
            state.isInterrupted = true
            if state.groups[last].count == 0 { state.byteCount -= state.groups.removeLast().byteCount }
        }
        return isKept
    }

    /// Removes the oldest group, if those after it are old enough.
    private func removeOld(_ now: MonotonicTime, _ state: inout State) -> PacketGroup? {
        guard state.groups.count > 1, now - state.groups[1].begin >= rings.duration else { return nil }
        let old = state.groups.removeFirst()
        state.byteCount -= old.byteCount
        return old
    }
}

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
        /// When it was captured, as far as its arrival tells it.
        package var moment: MonotonicTime

        /// Gives it to a sink, as it came.
        package func give(to sink: any PacketSink) {
            guard let attributes, let sink = sink as? any PacketFrameSink else { return sink.consume(packet) }
            sink.consume(VideoFrame(.encoded(packet), attributes: attributes, presentationTime: time))
        }
    }

    private struct State {
        var groups: [PacketGroup] = []
        var byteCount = 0
        /// Whether the next packets do not continue those before.
        var isInterrupted = false
        /// The number of the first packet: those that were released count.
        var first = 0
        var clock = PictureClock()
        var captureClock = CaptureClock(longest: PlayoutAlignment.maximum)

        mutating func removeFirstGroup() -> PacketGroup {
            let old = groups.removeFirst()
            byteCount -= old.byteCount
            first += old.count
            return old
        }
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

    /// The number of the first packet that it has; those that were released count.
    var firstIndex: Int { state.withLock { $0.first } }

    /// The number of the key frame from which a moment can be shown: the oldest, if that is later; `nil` without any.
    func start(of moment: MonotonicTime) -> Int? {
        state.withLock { state in
            guard !state.groups.isEmpty else { return nil }
            var (index, found) = (state.first, state.first)
            for group in state.groups {
                guard group.moment <= moment else { break }
                found = index
                index += group.count
            }
            return found
        }
    }

    /// The packet of a number; `nil` if it was released, or has not come yet.
    func entry(at index: Int) -> Entry? {
        state.withLock { state in
            var offset = index - state.first
            guard offset >= 0 else { return nil }
            for group in state.groups {
                if offset < group.count { return group[offset] }
                offset -= group.count
            }
            return nil
        }
    }

    /// The packets from which the pictures from one moment to another are decoded.
    ///
    /// - Parameters:
    ///   - begin: the first moment; its picture needs those from a key frame on.
    ///   - end: the last moment.
    /// - Returns: the packets; none if the ring has nothing up to `end`.
    package func entries(from begin: MonotonicTime, to end: MonotonicTime) -> [Entry] {
        state.withLock { state in
            let first = state.groups.lastIndex { $0.moment <= begin } ?? 0
            let entries = state.groups.dropFirst(first).flatMap { group in (0..<group.count).map { group[$0] } }
            func isVideo(_ entry: Entry) -> Bool { entry.packet.track.kind == .video }
            guard var last = entries.lastIndex(where: { isVideo($0) && $0.moment <= end }) else { return [] }
            // The last ones may be decoded from a later picture: then there must be no gap before that one.
            let latest = entries[...last].lazy.filter(isVideo).map(\.moment).max() ?? end
            for index in entries.indices[(last + 1)...] where isVideo(entries[index]) {
                guard entries[index].moment < latest else { break }
                last = index
            }
            return entries[...last].filter { isVideo($0) || $0.moment <= end }
        }
    }

    /// When the pictures that it has were captured, in this order.
    var pictureMoments: [MonotonicTime] { state.withLock { $0.groups.flatMap(\.pictureMoments) }.sorted() }

    /// When the newest picture with a time was captured; `nil` if there is none.
    package func moment(ofPictureAt time: Duration) -> MonotonicTime? {
        state.withLock { $0.groups.reversed().lazy.compactMap { $0.moment(ofPictureAt: time) }.first }
    }

    /// From the moment of the oldest picture to that of the newest; `nil` without any.
    package var span: ClosedRange<MonotonicTime>? {
        state.withLock { state in
            guard let first = state.groups.first, let last = state.groups.last?.pictureMoments.max() else { return nil }
            return first.moment...max(first.moment, last)
        }
    }

    /// Adds a packet, unless it depends on packets that are not there.
    func append(_ packet: EncodedPacket, time: Duration?, attributes: FrameAttributes?) {
        guard packet.track.isMain, packet.track.kind != .data else { return }
        let arrival = packet.timing.arrival.map(MonotonicTime.init(sinceBoot:)) ?? .now
        let (old, change) = state.withLock { state -> (PacketGroup?, Int) in
            let before = state.byteCount
            let isVideo = packet.track.kind == .video
            var moment = arrival
            if isVideo {
                let byArrival = state.clock.moment(of: time ?? packet.timing.presentation, arrival: arrival)
                let stated = packet.timing.capture.map { capture in
                    let now = MachineClock.read()
                    return now.at + (capture - now.sinceEpoch)
                }
                moment = stated.flatMap { state.captureClock.note($0, arrival: arrival) } ?? byArrival
            }
            if isVideo, let correction = state.clock.takeCorrection() { Self.correct(correction, &state) }
            let entry = Entry(packet: packet, time: time, attributes: attributes, arrival: arrival, moment: moment)
            guard Self.append(entry, to: &state) else { return (nil, state.byteCount - before) }
            let old = removeOld(arrival, &state)
            return (old, state.byteCount - before)
        }
        // Released without the lock.
        _ = old
        rings.note(change)
    }

    /// Whether packets have to begin with a key frame again.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.clock.reset()
            state.captureClock.reset()
        }
    }

    /// Releases everything.
    func clear() {
        let old = state.withLock { state in
            defer { state = State(first: state.first + state.groups.reduce(0) { $0 + $1.count }) }
            return state
        }
        rings.note(-old.byteCount)
    }

    /// Releases the packets up to the second key frame; all, if there is no second.
    ///
    /// - Returns: false if there was nothing to release.
    func removeOldest() -> Bool {
        let old = state.withLock { state -> PacketGroup? in
            state.groups.isEmpty ? nil : state.removeFirstGroup()
        }
        guard let old else { return false }
        rings.noteRoom(old.byteCount)
        return true
    }

    private static func correct(_ correction: PictureClock.Correction, _ state: inout State) {
        for index in state.groups.indices.reversed() {
            guard state.groups[index].end >= correction.begin else { break }
            state.groups[index].correct(correction)
        }
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
        return state.removeFirstGroup()
    }
}

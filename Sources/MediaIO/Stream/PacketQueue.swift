/// Packets on their way from a source to the thread that decodes them.
///
/// No packet but the last of a group of pictures can be left out alone. So if there are too many, because the decoder is
/// too slow, all are left out up to the next key frame.
///
/// **Thread:** any.
final class PacketQueue: Sendable {
    /// What the decoder does next.
    enum Entry: Sendable {
        case frame(VideoFrame)
        case condition(SourceCondition)
        /// The decoder forgets all packets; that many pictures were left out.
        case restart(omitted: Int)
    }

    private struct State {
        var entries: [Entry] = []
        var packetCount = 0
        var byteCount = 0
        var needsKeyFrame = true
        var hasEnded = false
    }

    /// More packets than this are two seconds of video.
    static let maximumCount = 120
    /// More bytes than this do not wait, but for one packet.
    static let maximumByteCount = 64 << 20

    private let state = Monitor(State())

    /// Appends a frame; an encoded one may be left out.
    func append(_ frame: VideoFrame) {
        state.change { state in
            guard !state.hasEnded else { return }
            guard case .encoded(let packet) = frame.image else { return state.entries.append(.frame(frame)) }
            let isFull =
                state.packetCount >= Self.maximumCount
                || state.packetCount > 0 && state.byteCount + packet.bytes.count > Self.maximumByteCount
            if isFull { Self.omitAll(&state) }
            if state.needsKeyFrame, !packet.isKeyFrame { return Self.omit(1, &state) }
            state.needsKeyFrame = false
            state.entries.append(.frame(frame))
            state.packetCount += 1
            state.byteCount += packet.bytes.count
        }
    }

    /// Appends a condition.
    func append(_ condition: SourceCondition) {
        state.change { state in
            if !state.hasEnded { state.entries.append(.condition(condition)) }
        }
    }

    /// Leaves out everything up to the next key frame, after a packet that cannot be decoded.
    func skipToKeyFrame() {
        state.change { state in
            guard let next = state.entries.firstIndex(where: Self.isKeyFrame) else {
                state.needsKeyFrame = true
                return Self.omitAll(&state)
            }
            let omitted = state.entries[..<next].count(where: Self.isPacket)
            for entry in state.entries[..<next] { Self.forget(entry, &state) }
            state.entries[..<next].removeAll { Self.isPacket($0) }
            state.entries.insert(.restart(omitted: omitted), at: 0)
        }
    }

    /// Leaves out everything; what follows begins with a key frame.
    func clear() {
        state.change { state in
            state.entries = []
            (state.packetCount, state.byteCount, state.needsKeyFrame) = (0, 0, true)
        }
    }

    /// Ends the queue for good.
    func end() {
        clear()
        state.change { $0.hasEnded = true }
    }

    /// Waits for the next entry; `nil` after the end.
    func next() -> Entry? {
        state.wait { state -> Entry?? in
            if state.hasEnded { return .some(nil) }
            guard !state.entries.isEmpty else { return nil }
            let entry = state.entries.removeFirst()
            Self.forget(entry, &state)
            return entry
        } ?? nil
    }

    private static func omitAll(_ state: inout State) {
        let omitted = state.entries.count(where: isPacket)
        state.entries.removeAll(where: isPacket)
        (state.packetCount, state.byteCount, state.needsKeyFrame) = (0, 0, true)
        omit(omitted, &state)
    }

    private static func omit(_ count: Int, _ state: inout State) {
        guard case .restart(let omitted) = state.entries.last else {
            return state.entries.append(.restart(omitted: count))
        }
        state.entries[state.entries.count - 1] = .restart(omitted: omitted + count)
    }

    private static func forget(_ entry: Entry, _ state: inout State) {
        guard case .frame(let frame) = entry, case .encoded(let packet) = frame.image else { return }
        state.packetCount -= 1
        state.byteCount -= packet.bytes.count
    }

    private static func isPacket(_ entry: Entry) -> Bool {
        if case .frame(let frame) = entry, case .encoded = frame.image { true } else { false }
    }

    private static func isKeyFrame(_ entry: Entry) -> Bool {
        if case .frame(let frame) = entry, case .encoded(let packet) = frame.image { packet.isKeyFrame } else { false }
    }
}

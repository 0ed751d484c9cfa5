/// Packets on their way from a source to the thread that decodes them, and the pictures and conditions between them.
///
/// Packets depend on the packets before them. So after a loss, or if too many packets wait because the decoder is too
/// slow, all packets up to the next key frame are left out.
///
/// **Thread:** any.
final class PacketQueue: Sendable {
    /// What the decoder does next.
    enum Entry: Sendable {
        case frame(VideoFrame)
        case condition(SourceCondition)
        /// Decoding restarts with the next packet, a key frame, after `omitted` pictures were left out. If the key
        /// frame is not in the queue yet, the source must be asked for one.
        case restart(omitted: Int, needsKeyFrame: Bool)
        /// Decoding continues after `missing` lost packets, with damaged pictures up to the next key frame.
        case gap(missing: Int)
        /// None of the last `count` packets was a key frame, so none of them was decoded.
        case noKeyFrame(count: Int)
        /// Decoding restarts after the source was stopped.
        case reset
    }

    private struct State {
        var entries: [Entry] = []
        var byteCount = 0
        var sequence = PacketSequence()
        var needsKeyFrame = true
        /// The packets since a key frame was needed, and the presentation time of the first of them.
        var unusableCount = 0
        var firstUnusable: Duration?
        var hasEnded = false
    }

    /// The most packets that wait: about four seconds of video.
    static let maximumCount = 120
    /// The most bytes that wait in packets and pictures; a single larger one is allowed.
    static let maximumByteCount = 64 << 20
    /// After this many packets without a key frame, or ``longestWait`` of presentation time, the consumer is told why.
    static let maximumUnusableCount = 150
    static let longestWait = Duration.seconds(5)

    /// Whether packets after a loss are decoded, although their pictures are damaged.
    private let showsDamaged: Bool
    private let state = Monitor(State())

    init(showsDamaged: Bool) { self.showsDamaged = showsDamaged }

    /// Appends a frame; an encoded one may be left out.
    func append(_ frame: VideoFrame) {
        state.change { state in
            guard !state.hasEnded else { return }
            if case .encoded(let packet) = frame.image, !admit(packet, frame.presentationTime, &state) { return }
            let byteCount = Self.byteCount(frame)
            Self.makeRoom(for: byteCount, &state)
            if case .encoded(let packet) = frame.image {
                // Making room may just have left out the packets that this one depends on.
                if state.needsKeyFrame, !packet.isKeyFrame { return Self.omit(1, &state) }
                state.needsKeyFrame = false
            }
            state.entries.append(.frame(frame))
            state.byteCount += byteCount
        }
    }

    /// Appends a condition.
    func append(_ condition: SourceCondition) {
        state.change { state in
            guard !state.hasEnded else { return }
            Self.makeRoom(for: 0, &state)
            state.entries.append(.condition(condition))
            // At the end of the stream, the decoder is drained, so a key frame must follow.
            if condition == .ended { state.needsKeyFrame = true }
        }
    }

    /// Leaves out everything up to the next key frame, after a packet that cannot be decoded.
    ///
    /// Does nothing if that packet is from before ``clear()``: what waits does not depend on it.
    func skipToKeyFrame() {
        state.change { state in
            if Self.needsReset(state) { return }
            let next = state.entries.firstIndex(where: Self.isKeyFrame)
            if next == nil { state.needsKeyFrame = true }
            var omitted = 0
            var index = 0
            for entry in state.entries[..<(next ?? state.entries.endIndex)] {
                if Self.isPacket(entry) {
                    omitted += 1
                    state.byteCount -= Self.byteCount(entry)
                    state.entries.remove(at: index)
                } else {
                    index += 1
                }
            }
            state.entries.insert(.restart(omitted: omitted, needsKeyFrame: next == nil), at: 0)
        }
    }

    /// Leaves out everything; what follows begins with a key frame.
    func clear() {
        let old = state.change { state -> State? in
            guard !state.hasEnded else { return nil }
            defer { state = State(entries: [.reset]) }
            return state
        }
        // Frames are released without the lock.
        _ = old
    }

    /// Ends the queue for good.
    func end() {
        let old = state.change { state in
            defer { state = State(hasEnded: true) }
            return state
        }
        _ = old
    }

    /// Waits for the next entry; `nil` after the end.
    func next() -> Entry? {
        state.wait { state -> Entry?? in
            if state.hasEnded { return .some(nil) }
            guard !state.entries.isEmpty else { return nil }
            let entry = state.entries.removeFirst()
            state.byteCount -= Self.byteCount(entry)
            guard case .restart(let omitted, _) = entry else { return entry }
            return .restart(omitted: omitted, needsKeyFrame: !state.entries.contains(where: Self.isKeyFrame))
        } ?? nil
    }

    /// Whether a packet can be decoded, judging by the packets before it.
    private func admit(_ packet: EncodedPacket, _ time: Duration?, _ state: inout State) -> Bool {
        switch state.sequence.note(packet) {
        case .next: break
        case .old: return false
        case .gap(let missing):
            // Before the first key frame, there is nothing that the loss could damage.
            if !showsDamaged || state.needsKeyFrame {
                state.needsKeyFrame = true
                Self.omit(missing, &state)
            } else {
                Self.makeRoom(for: 0, &state)
                state.entries.append(.gap(missing: missing))
            }
        }
        if packet.isKeyFrame { (state.unusableCount, state.firstUnusable) = (0, nil) }
        guard state.needsKeyFrame, !packet.isKeyFrame else { return true }
        Self.omit(1, &state)
        noteUnusable(time, &state)
        return false
    }

    /// Counts packets that cannot be decoded without a key frame, and reports once that there are too many.
    private func noteUnusable(_ time: Duration?, _ state: inout State) {
        guard state.unusableCount < .max else { return }
        state.unusableCount += 1
        state.firstUnusable = state.firstUnusable ?? time
        let wait = time.flatMap { time in state.firstUnusable.map { time - $0 } } ?? .zero
        guard state.unusableCount >= Self.maximumUnusableCount || wait >= Self.longestWait else { return }
        Self.makeRoom(for: 0, &state)
        state.entries.append(.noKeyFrame(count: state.unusableCount))
        state.unusableCount = .max
    }

    /// Whether the decoder has not been reset since ``clear()``.
    private static func needsReset(_ state: State) -> Bool {
        if case .reset = state.entries.first { true } else { false }
    }

    /// If there is no room for another entry, leaves out everything that waits except a reset and the newest condition.
    private static func makeRoom(for byteCount: Int, _ state: inout State) {
        let isFull =
            state.entries.count >= maximumCount
            || byteCount > 0 && state.byteCount > 0 && state.byteCount + byteCount > maximumByteCount
        guard isFull else { return }
        var omitted = 0
        var hasPackets = false
        var condition: Entry?
        for entry in state.entries {
            switch entry {
            case .frame:
                omitted += 1
                hasPackets = hasPackets || isPacket(entry)
            case .restart(let count, _), .gap(let count):
                omitted += count
                hasPackets = true
            case .condition: condition = entry
            case .noKeyFrame, .reset: break
            }
        }
        let needsReset = needsReset(state)
        state.entries.removeAll(keepingCapacity: true)
        // Without it, pictures from before the stop would be delivered.
        if needsReset { state.entries.append(.reset) }
        state.byteCount = 0
        if hasPackets { state.needsKeyFrame = true }
        omit(omitted, &state)
        if let condition { state.entries.append(condition) }
    }

    private static func omit(_ count: Int, _ state: inout State) {
        guard case .restart(let omitted, _) = state.entries.last else {
            return state.entries.append(.restart(omitted: count, needsKeyFrame: true))
        }
        state.entries[state.entries.count - 1] = .restart(omitted: omitted + count, needsKeyFrame: true)
    }

    private static func byteCount(_ entry: Entry) -> Int {
        if case .frame(let frame) = entry { byteCount(frame) } else { 0 }
    }

    private static func byteCount(_ frame: VideoFrame) -> Int {
        switch frame.image {
        case .encoded(let packet): return packet.bytes.count
        case .planes(let buffer):
            var count = 0
            for index in 0..<buffer.planeCount { count += buffer.plane(index).bytes.count }
            return count
        // Not this program's memory, and a source has few such buffers.
        case .dmaBuffer, .texture: return 0
        }
    }

    private static func isPacket(_ entry: Entry) -> Bool {
        if case .frame(let frame) = entry, case .encoded = frame.image { true } else { false }
    }

    private static func isKeyFrame(_ entry: Entry) -> Bool {
        if case .frame(let frame) = entry, case .encoded(let packet) = frame.image { packet.isKeyFrame } else { false }
    }
}

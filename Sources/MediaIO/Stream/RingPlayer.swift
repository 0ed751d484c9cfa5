/// Shows what a ring has of a stream, at a moment, while the stream goes on.
///
/// **Thread:** any; it decodes on one of its own.
final class RingPlayer: Sendable {
    private struct State {
        var playhead: Playhead
        /// The number of times that the playhead was set.
        var changes = 0
        var hasEnded = false
        /// The moment of the picture that is shown.
        var shown: MonotonicTime?
    }

    private let state: Monitor<State>
    private let thread = Monitor<SystemThread?>(nil)

    /// Begins to show a moment.
    ///
    /// - Parameters:
    ///   - playhead: which.
    ///   - ring: the packets.
    ///   - stage: decodes them.
    ///   - demand: what sinks want.
    ///   - name: the name of the stream, for errors.
    ///   - deliver: gets the pictures, on the player's thread; one that it does not take, it gets again.
    /// - Throws: ``StreamError/Code/cannotOpen`` if no thread can be started.
    init(
        _ playhead: Playhead, of ring: PacketRing, _ stage: sending DecodingStage, _ demand: ReadingDemand,
        name: String, deliver: @escaping @Sendable (VideoFrame) -> Bool
    ) throws(StreamError) {
        let state = Monitor(State(playhead: playhead))
        self.state = state
        let box = Monitor<DecodingStage?>(stage)
        // Before those that decode the present, which nobody sees now, but after the one that draws.
        let made = try SystemThread(for: name, niceness: SourceLife.captureNiceness / 2) {
            guard
                let stage = box.withLock({ stage in
                    defer { stage = nil }
                    return stage
                })
            else { return }
            var playback = Playback(ring: ring, stage: stage, demand: demand, state: state, deliver: deliver)
            playback.run()
        }
        thread.withLock { $0 = made }
    }

    /// Shows another moment.
    func show(_ playhead: Playhead) {
        state.change { state in
            state.playhead = playhead
            state.changes += 1
        }
    }

    /// The moment of the picture that is shown; `nil` before the first.
    var shown: MonotonicTime? { state.withLock { $0.shown } }

    /// Ends the thread after its running call, which may be the caller.
    func end() {
        state.change { $0.hasEnded = true }
        let ended = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        ended?.finish()
    }

    /// What the thread does.
    private struct Playback {
        /// A picture, and the moment that it shows.
        private struct Picture {
            var frame: VideoFrame
            var moment: MonotonicTime
        }

        /// How long it waits for packets that have not come yet.
        private static let patience = Duration.milliseconds(20)
        /// How long before the moment frames that no other frame is decoded from are decoded, too.
        private static let runUp = Duration.milliseconds(200)
        /// How far the moment moves on, at most, while it is searched for.
        private static let longestChase = Duration.milliseconds(500)

        let ring: PacketRing
        var stage: DecodingStage
        let demand: ReadingDemand
        let state: Monitor<State>
        let deliver: @Sendable (VideoFrame) -> Bool
        private var demandVersion = 0
        /// The next packet; `nil` before the first.
        private var cursor: Int?
        /// Those that were decoded too early, in the order in which they are shown.
        private var pictures: [Picture] = []
        /// The times and moments of the packets whose pictures are not decoded yet.
        private var awaited: [(time: Duration, moment: MonotonicTime)] = []
        private var shown: MonotonicTime?
        /// The moment up to which it has decoded, or was about to.
        private var reached = MonotonicTime(sinceBoot: .zero)
        /// What was not taken yet.
        private var undelivered: VideoFrame?
        /// The changes of the playhead that were followed.
        private var followed = -1

        init(
            ring: PacketRing, stage: DecodingStage, demand: ReadingDemand, state: Monitor<State>,
            deliver: @escaping @Sendable (VideoFrame) -> Bool
        ) {
            (self.ring, self.stage, self.demand, self.state, self.deliver) = (ring, stage, demand, state, deliver)
        }

        mutating func run() {
            while let (playhead, changes) = state.withLock({ $0.hasEnded ? nil : ($0.playhead, $0.changes) }) {
                let target = playhead.moment(now: .now)
                if demand.hasChanged(since: &demandVersion) { stage.adapt(to: demand.wants) }
                if isElsewhere(target, isHeld: playhead.isStopped && changes == followed) { seek(target) }
                (followed, reached) = (changes, target)
                let newest = advance(along: playhead, changes)
                if let newest, newest.moment != shown {
                    shown = newest.moment
                    state.withLock { $0.shown = newest.moment }
                    undelivered = newest.frame
                }
                if let frame = undelivered, deliver(frame) { undelivered = nil }
                var deadline: MonotonicTime? =
                    switch playhead {
                    case .behind(let delay): pictures.first.map { $0.moment + delay } ?? .now + Self.patience
                    // What has not come yet may still come.
                    case .stopped: pictures.isEmpty ? .now + Self.patience : nil
                    }
                if undelivered != nil { deadline = .now + Self.patience }
                state.wait(until: deadline) { $0.hasEnded || $0.changes != changes ? () : nil }
            }
        }

        /// Whether the moment is not reached by decoding on.
        ///
        /// - Parameters:
        ///   - target: the moment.
        ///   - isHeld: whether it is the same as before: then its picture stays, also when the ring has released it.
        /// - Returns: true if another key frame has to be found.
        private func isElsewhere(_ target: MonotonicTime, isHeld: Bool) -> Bool {
            if isHeld, shown != nil { return false }
            guard let cursor, let start = ring.start(of: target) else { return cursor == nil }
            // Before what is shown, or would have been; in what the ring has released; or beyond a later key frame. What is
            // shown is later than the moment if the ring does not go back so far.
            return target < min(reached, shown ?? reached) || cursor < ring.firstIndex || start > cursor
        }

        private mutating func seek(_ target: MonotonicTime) {
            cursor = ring.start(of: target)
            (pictures, awaited, shown) = ([], [], nil)
            stage.reset()
        }

        /// Decodes up to the first picture after the moment, unless the playhead is set meanwhile.
        ///
        /// Nothing is shown while it searches. So that what it finds is not late then, it follows the moment meanwhile.
        ///
        /// - Returns: the newest picture that is not after it.
        private mutating func advance(along playhead: Playhead, _ changes: Int) -> Picture? {
            let isSearching = shown == nil
            let latest = reached + Self.longestChase
            stage.setUrgent(isSearching)
            var newest: Picture?
            while true {
                if isSearching { reached = min(playhead.moment(now: .now), latest) }
                while let first = pictures.first, first.moment <= reached { newest = pictures.removeFirst() }
                guard pictures.isEmpty, let next = cursor, let entry = ring.entry(at: next),
                    state.withLock({ !$0.hasEnded && $0.changes == changes })
                else { break }
                cursor = next + 1
                guard entry.packet.track.kind == .video else { continue }
                stage.setOmitting(entry.moment < reached - Self.runUp)
                let time = entry.time ?? entry.packet.timing.presentation
                if let time { awaited.append((time, entry.moment)) }
                var decoded: [VideoFrame] = []
                stage.decode(entry.packet, time: entry.time, attributes: entry.attributes) { output in
                    if case .picture(let frame) = output { decoded.append(frame) }
                }
                for frame in decoded {
                    pictures.append(Picture(frame: frame, moment: moment(of: frame) ?? entry.moment))
                }
            }
            // Before the first picture there is nothing else to show.
            if newest == nil, shown == nil, !pictures.isEmpty { newest = pictures.removeFirst() }
            return newest
        }

        /// The moment of the packet that a picture was decoded from; `nil` if its time does not tell which.
        private mutating func moment(of frame: VideoFrame) -> MonotonicTime? {
            guard let time = frame.presentationTime else { return nil }
            // Decoders may count in other units.
            let found = awaited.firstIndex { abs($0.time - time) < .microseconds(500) }
            // Pictures come in the order of their times: those before it do not come any more.
            defer { awaited.removeAll { $0.time <= time } }
            return found.map { awaited[$0].moment }
        }

        private func abs(_ span: Duration) -> Duration { span < .zero ? .zero - span : span }
    }
}

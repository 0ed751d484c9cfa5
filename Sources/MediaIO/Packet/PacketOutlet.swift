internal import Synchronization

/// Where sinks of packets attach to a stream and leave it, while it runs.
///
///     let recorder = Recorder()
///     try source.packets.attach(recorder)
///     …
///     source.packets.detach(recorder)
///
/// Each sink has a queue and a thread of its own. The queue is bounded (``PacketQueueLimits``): if a sink is too slow,
/// its packets are left out up to the next key frame, and counted; no other sink notices.
///
/// **Thread:** any. **Cost:** every packet: with sinks, one short lock, and one more for each that wants it and for a ring.
public final class PacketOutlet: Sendable {
    /// A sink, with its queue and its thread.
    private final class Attachment: Sendable {
        let sink: any PacketSink
        /// The sink, if it takes packets as frames.
        private let frameSink: (any PacketFrameSink)?
        let queue: PacketQueue
        let thread = Monitor<SystemThread?>(nil)

        init(_ sink: any PacketSink, _ limits: PacketQueueLimits) {
            self.sink = sink
            frameSink = sink as? any PacketFrameSink
            queue = PacketQueue(limits)
        }

        /// Starts the thread, which first gives the sink packets of a ring, and then those of the queue.
        func start(for name: String, with past: [PacketRing.Entry]) throws(StreamError) {
            let (sink, frameSink, queue) = (sink, frameSink, queue)
            @Sendable func give(_ packet: EncodedPacket, _ time: Duration?, _ attributes: FrameAttributes?) {
                guard let frameSink, let attributes else { return sink.consume(packet) }
                frameSink.consume(VideoFrame(.encoded(packet), attributes: attributes, presentationTime: time))
            }
            let made = try SystemThread(for: name, niceness: SourceLife.captureNiceness) {
                for entry in past {
                    guard !queue.hasEnded else { break }
                    entry.give(to: sink)
                }
                while let entry = queue.next() {
                    switch entry {
                    case .packet(let packet, let time, let attributes): give(packet, time, attributes)
                    case .lost(let count, _): sink.didLose(count)
                    case .condition(let condition): sink.sourceDidChange(condition)
                    case .picture, .reset: break
                    }
                }
                sink.didDetach()
            }
            thread.withLock { $0 = made }
        }

        /// Ends the thread after its running call, which may be the caller.
        func end() {
            if sink.mayHang { queue.finish() } else { queue.end() }
            let ended = thread.withLock { thread in
                defer { thread = nil }
                return thread
            }
            if sink.mayHang { ended?.detach() } else { ended?.finish() }
        }
    }

    private struct State {
        var attachments: [Attachment] = []
        var ring: PacketRing?
        var hasEnded = false

        var isUsed: Bool { !attachments.isEmpty || ring != nil }
    }

    /// The bounds of a sink's queue unless others are given: 1000 entries, 64 MiB and four seconds.
    public static let defaultLimits = PacketQueueLimits(count: 1000)

    private let name: String
    private let state = Monitor(State())
    /// Whether there are sinks or a ring, so that packets take no lock without any.
    private let isUsed = Atomic(false)
    /// The number of times that a sink or a ring has come or gone.
    private let changes = Atomic(0)
    private let onAttach: @Sendable () -> Void

    /// Creates an outlet without sinks.
    ///
    /// - Parameters:
    ///   - name: the source's name, for errors.
    ///   - onAttach: called when a sink has attached, which can begin only with a key frame: ask the sender for one.
    public init(name: String, onAttach: @escaping @Sendable () -> Void = {}) {
        (self.name, self.onAttach) = (name, onAttach)
    }

    deinit { for attachment in state.withLock({ $0.attachments }) { attachment.end() } }

    /// The newest packets, which sinks that attach can begin with; `nil` to keep none.
    public var ring: PacketRing? {
        get { state.withLock { $0.ring } }
        set {
            let old = state.withLock { state in
                defer {
                    state.ring = state.hasEnded ? nil : newValue
                    isUsed.store(state.isUsed, ordering: .relaxed)
                    changes.add(1, ordering: .releasing)
                }
                return state.ring
            }
            if old !== newValue { old?.clear() }
        }
    }

    /// Attaches a sink, which gets the packets from the next key frame on, or from one in the ``ring``.
    ///
    /// - Parameters:
    ///   - sink: the sink.
    ///   - limits: the bounds of its queue, without what the ring gives it.
    ///   - before: how far it goes back, and further up to a key frame, as far as the ring has it.
    /// - Throws: ``StreamError/Code/wrongOrder`` if it is attached already, or the source is disposed of;
    ///   ``StreamError/Code/cannotOpen`` if no thread can be started.
    public func attach(
        _ sink: any PacketSink, limits: PacketQueueLimits = defaultLimits, before: Duration = .zero
    ) throws(StreamError) {
        if try !attachQuietly(sink, limits, before: before) { onAttach() }
    }

    /// Attaches a sink, without asking for the key frame that it begins with.
    ///
    /// - Returns: whether it begins with packets of the ring, and needs no other key frame.
    @discardableResult
    func attachQuietly(
        _ sink: any PacketSink, _ limits: PacketQueueLimits, before: Duration = .zero
    ) throws(StreamError) -> Bool {
        let attachment = Attachment(sink, limits)
        return try state.withLock { (state) throws(StreamError) in
            guard !state.hasEnded, !state.attachments.contains(where: { $0.sink === sink }) else {
                throw StreamError(
                    .wrongOrder, "\(name) cannot attach the sink: it has it already, or is disposed. Make a new one.")
            }
            let past = before > .zero ? state.ring?.past(from: .now - before) : nil
            let entries = past?.entries.filter { sink.wants($0.packet.track) } ?? []
            let begun = entries.lazy.filter { $0.packet.track.kind == .video }.map(\.packet.track.id)
            attachment.queue.awaitKeyFrames(except: past?.goesOn == true ? Set(begun) : [])
            try attachment.start(for: name, with: entries)
            state.attachments.append(attachment)
            isUsed.store(true, ordering: .relaxed)
            changes.add(1, ordering: .releasing)
            return !entries.isEmpty && past?.goesOn == true
        }
    }

    /// Detaches a sink; when this returns, no call to it is running and none will come, unless it ``PacketSink/mayHang``.
    ///
    /// From within the sink's own call, only ``PacketSink/didDetach()`` follows. Does nothing if it is not attached.
    /// Packets that wait for the sink are left out, unless it may hang.
    public func detach(_ sink: any PacketSink) {
        let attachment = state.withLock { state -> Attachment? in
            guard let index = state.attachments.firstIndex(where: { $0.sink === sink }) else { return nil }
            defer {
                isUsed.store(state.isUsed, ordering: .relaxed)
                changes.add(1, ordering: .releasing)
            }
            return state.attachments.remove(at: index)
        }
        attachment?.end()
    }

    /// Whether the current thread is inside a call to one of the sinks.
    var isCallerCurrent: Bool {
        state.withLock { state in state.attachments.contains { $0.thread.withLock { $0?.isCurrent == true } } }
    }

    /// The packets that were left out for a sink because it was too slow; 0 if it is not attached.
    public func lostCount(of sink: any PacketSink) -> Int {
        state.withLock { $0.attachments.first { $0.sink === sink }?.queue.lost ?? 0 }
    }

    /// Whether sinks have come or gone since the last look.
    ///
    /// - Parameter changes: the number of changes at that look, 0 before the first; updated.
    /// - Returns: true if they have.
    package func hasChanged(since changes: inout Int) -> Bool {
        let now = self.changes.load(ordering: .acquiring)
        defer { changes = now }
        return now != changes
    }

    /// Whether a sink or the ring wants the packets of a track.
    package func wants(_ track: TrackInfo) -> Bool {
        state.withLock { state in
            // Each sink is asked, which may have to know what will come.
            let isWanted = state.attachments.reduce(false) { $1.sink.wants(track) || $0 }
            return isWanted || state.ring != nil && track.isMain && track.kind != .data
        }
    }

    /// Gives a packet to the sinks that want it.
    ///
    /// - Parameters:
    ///   - packet: the packet.
    ///   - frame: the frame that it came as; `nil` if it did not.
    package func distribute(_ packet: EncodedPacket, as frame: VideoFrame? = nil) {
        guard isUsed.load(ordering: .relaxed) else { return }
        let (time, attributes) = (frame?.presentationTime, frame?.attributes)
        state.withLock { state in
            for index in state.attachments.indices where state.attachments[index].sink.wants(packet.track) {
                state.attachments[index].queue.append(packet, time: time, attributes: attributes)
            }
            state.ring?.append(packet, time: time, attributes: attributes)
        }
    }

    /// Tells the sinks of a condition, after the packets so far.
    package func distribute(_ condition: SourceCondition) {
        state.withLock { state in for attachment in state.attachments { attachment.queue.append(condition) } }
    }

    /// Tells the sinks' queues that the next packets do not continue those before: they begin with key frames.
    package func beginConnection() {
        state.withLock { state in
            for attachment in state.attachments { attachment.queue.awaitKeyFrames() }
            state.ring?.interrupt()
        }
    }

    /// Detaches all sinks for good.
    package func end() {
        let attachments = state.withLock { state in
            state.hasEnded = true
            defer { (state.attachments, state.ring) = ([], nil) }
            return state.attachments
        }
        for attachment in attachments { attachment.end() }
    }
}

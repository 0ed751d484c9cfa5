internal import Synchronization

/// Passes the packets of one source to those sinks of its stream that ask for packets
/// (``VideoSink/bufferKind`` is ``BufferKind/encoded``).
///
/// **Thread:** any; each sink gets its packets on a thread of its own, as from a ``PacketOutlet``.
final class PacketRelay: Sendable {
    private struct State {
        var taps: [PacketTap] = []
        var isOpen = false
    }

    private let outlet: PacketOutlet
    private let state = Monitor(State())

    init(_ outlet: PacketOutlet) { self.outlet = outlet }

    /// Whether the current thread is inside a call to one of the sinks.
    var isCallerCurrent: Bool { outlet.isCallerCurrent }

    /// Attaches the sinks.
    ///
    /// - Throws: what ``PacketOutlet/attach(_:limits:)`` throws; then no sink is attached.
    func open(_ sinks: [any VideoSink]) throws(StreamError) {
        state.withLock { $0.isOpen = true }
        do throws(StreamError) {
            try setSinks(sinks)
        } catch {
            close()
            detach()
            throw error
        }
    }

    /// Passes nothing on from now on; a running call continues.
    func close() {
        state.withLock { state in
            state.isOpen = false
            for tap in state.taps { tap.close() }
        }
    }

    /// If it is closed, detaches all sinks: when this returns, no call to them is running.
    func detach() {
        let taps = state.withLock { state -> [PacketTap] in
            guard !state.isOpen else { return [] }
            defer { state.taps = [] }
            return state.taps
        }
        for tap in taps { outlet.detach(tap) }
    }

    /// Passes nothing on to a sink from now on; it is detached with the next change.
    func close(_ sink: any VideoSink) {
        state.withLock { state in for tap in state.taps where tap.sink === sink { tap.close() } }
    }

    /// Replaces the sinks while it is open: when this returns, no call to those that have left is running.
    func setSinks(_ sinks: [any VideoSink]) throws(StreamError) {
        let (left, isOpen) = state.withLock { state in
            let left = state.taps.filter { tap in !sinks.contains { $0 === tap.sink } }
            state.taps.removeAll { tap in left.contains { $0 === tap } }
            return (left, state.isOpen)
        }
        for tap in left { outlet.detach(tap) }
        guard isOpen else { return }
        for sink in sinks where !state.withLock({ $0.taps.contains { $0.sink === sink } }) {
            let tap = PacketTap(sink)
            try outlet.attachQuietly(tap, PacketOutlet.defaultLimits)
            state.withLock { $0.taps.append(tap) }
        }
    }
}

/// Makes frames of the packets for a sink of frames.
private final class PacketTap: PacketFrameSink {
    let sink: any VideoSink
    private let isClosed = Atomic(false)

    init(_ sink: any VideoSink) { self.sink = sink }

    func close() { isClosed.store(true, ordering: .relaxed) }

    private var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    func wants(_ track: TrackInfo) -> Bool { track.kind == .video }

    func consume(_ packet: EncodedPacket) {
        consume(
            VideoFrame(
                .encoded(packet), attributes: packet.track.attributes, presentationTime: packet.timing.presentation))
    }

    func consume(_ frame: VideoFrame) { if isOpen { sink.consume(frame) } }

    func didLose(_ count: Int) { if isOpen { sink.sourceDidOmit(count) } }

    func sourceDidChange(_ condition: SourceCondition) { if isOpen { sink.sourceDidChange(condition) } }
}

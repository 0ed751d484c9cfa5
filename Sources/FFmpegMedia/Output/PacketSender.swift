import Glibc
public import MediaIO
import VitrailSupport

/// Sends the packets of a track of video to a server or a receiver, without encoding them again.
///
///     let sender = PacketSender(to: .network(url: "rtsp://server:8554/wall"))
///     try source.packets.attach(sender)
///
/// A receiver that cannot be reached, or is lost, is tried again for ever: after 1, 2, 4, 8, 10, 10 … seconds. Meanwhile
/// its packets are left out and counted; what it then gets begins with a key frame.
///
/// **Thread:** what a ``PacketOutlet`` calls is called on the outlet's thread for it; the rest on any.
public final class PacketSender: PacketSink {
    private struct State {
        var condition = SenderCondition.connecting
        var counts = SenderCounts()
        /// Ends the waits of the connection, while there is one.
        var interruption: Interruption?
        /// The part of the omitted packets that the outlet left out.
        var lost = 0
        var isEnding = false
        /// Whether the receiver could be tried again, but the last packet was no key frame.
        var needsKeyFrame = false
    }

    /// Where it sends to.
    public let destination: MediaDestination
    private let timeout: Duration
    private let onChange: @Sendable (SenderCondition) -> Void
    private let state = Monitor(State())

    // Only the outlet's thread uses them, and when the sender is detached, `close(within:)` or `deinit`.
    private nonisolated(unsafe) var connection: Connection?
    private nonisolated(unsafe) var retries: SenderRetries

    /// Describes a sender; nothing is opened before the first packet.
    ///
    /// - Parameters:
    ///   - destination: where to.
    ///   - timeout: how long a receiver may take nothing before it counts as lost.
    ///   - retries: the waits after a failure.
    ///   - onChange: called when the condition changes, on the outlet's thread.
    public init(
        to destination: MediaDestination, timeout: Duration = .seconds(10), retries: RetrySchedule = RetrySchedule(),
        onChange: @escaping @Sendable (SenderCondition) -> Void = { _ in }
    ) {
        (self.destination, self.timeout, self.onChange) = (destination, timeout, onChange)
        self.retries = SenderRetries(retries)
    }

    /// How the receiver is.
    public var condition: SenderCondition { state.withLock { $0.condition } }

    /// How many packets were sent, and left out.
    public var counts: SenderCounts { state.withLock { $0.counts } }

    /// Sends nothing further; a call that still waits for the receiver ends soon.
    ///
    /// The connection is closed when the sender is released.
    ///
    /// - Parameter time: how long the receiver may take.
    public func end(within time: Duration = .seconds(1)) {
        state.withLock { state in
            state.isEnding = true
            state.interruption?.arm(for: time)
        }
    }

    /// Says goodbye to the receiver, and closes the connection; only after ``end(within:)``, and after it was detached.
    package func close(within time: Duration) {
        connection?.close(within: time)
        connection = nil
    }

    deinit { connection?.close(within: .seconds(1)) }

    // MARK: PacketSink

    /// True for the video that is shown.
    public func wants(_ track: TrackInfo) -> Bool { track.kind == .video && track.isMain }

    /// Sends a packet, or connects first.
    public func consume(_ packet: EncodedPacket) {
        if let connection, !connection.track.isDecodedLike(packet.track) || connection.isBefore(packet) { lose(nil) }
        if connection == nil { connect(packet) }
        guard let connection, !state.withLock({ $0.isEnding }) else { return omit() }
        do throws(StreamError) {
            guard try connection.send(packet) else { return omit() }
            state.change { $0.counts.sent += 1 }
        } catch {
            omit()
            lose(error)
        }
    }

    private func omit() { state.change { $0.counts.omitted += 1 } }

    /// Counts packets that were left out.
    public func didLose(_ count: Int) {
        state.change { state in
            state.counts.omitted += count
            state.lost += count
        }
    }

    /// The packets that it was told to have lost because it was too slow.
    var lost: Int { state.withLock { $0.lost } }

    /// Waits until so many packets were sent or left out, while there is a receiver.
    func wait(forPackets count: Int, until deadline: MonotonicTime) {
        _ = state.wait(until: deadline) { state in
            state.condition != .sending || state.counts.sent + state.counts.omitted >= count ? () : nil
        }
    }

    /// Whether it could go on if the next packet were a key frame; true once.
    package func takeKeyFrameRequest() -> Bool {
        state.withLock { state in
            defer { state.needsKeyFrame = false }
            return state.needsKeyFrame
        }
    }

    // MARK: Connections

    private func connect(_ packet: EncodedPacket) {
        guard retries.isDue else { return }
        guard packet.isKeyFrame else { return state.withLock { $0.needsKeyFrame = true } }
        let interruption = Interruption(ReadCancellation(), timeout: timeout)
        let mayConnect = state.withLock { state in
            if case .failed = state.condition { return false }
            if state.isEnding { return false }
            state.interruption = interruption
            return true
        }
        guard mayConnect else { return }
        do throws(StreamError) {
            connection = try Connection(destination, packet, interruption)
            state.withLock { $0.counts.connections += 1 }
            change(to: .sending)
        } catch {
            state.withLock { $0.interruption = nil }
            change(to: retries.lose(error))
        }
    }

    /// Closes the connection; after an error it is tried again.
    private func lose(_ error: StreamError?) {
        guard let connection else { return }
        self.connection = nil
        state.withLock { $0.interruption = nil }
        connection.close(within: .seconds(1))
        if let error { change(to: retries.lose(error, after: .now - connection.begin)) }
    }

    private func change(to condition: SenderCondition) {
        let isNew = state.withLock { state in
            defer { state.condition = condition }
            return state.condition != condition
        }
        if isNew { onChange(condition) }
    }
}

/// A connection to a receiver.
private final class Connection {
    let track: TrackInfo
    let begin = MonotonicTime.now
    private let muxer: MuxerContext
    private let interruption: Interruption
    /// The time of the first packet, from which the receiver counts.
    private let start: Duration
    /// The decoding time of the last packet, from there.
    private var last: Duration?

    init(
        _ destination: MediaDestination, _ first: EncodedPacket, _ interruption: Interruption
    ) throws(StreamError) {
        (track, self.interruption) = (first.track, interruption)
        start = first.timing.decoding ?? first.timing.presentation ?? .zero
        try destination.check(track.codec)
        let muxer = try MuxerContext(destination, interruption)
        interruption.arm()
        try muxer.begin(track, first: first)
        self.muxer = muxer
        if case .session(_, let path) = destination { try Self.write(self.muxer.sessionDescription, path) }
    }

    /// Whether the sender's clock has gone back to a time before a packet by more than a second, as after a restart.
    func isBefore(_ packet: EncodedPacket) -> Bool {
        guard let last, let time = packet.timing.decoding ?? packet.timing.presentation else { return false }
        return time - start < last - .seconds(1)
    }

    /// Sends a packet; one without times has the present one.
    ///
    /// - Returns: false if its time to be decoded is not after that of the packet before it: no container takes it.
    func send(_ packet: EncodedPacket) throws(StreamError) -> Bool {
        var timing = packet.timing
        timing.presentation = timing.presentation.map { $0 - start }
        timing.decoding = timing.decoding.map { $0 - start }
        if timing.presentation == nil, timing.decoding == nil { timing.presentation = .now - begin }
        let time = timing.decoding ?? timing.presentation ?? .zero
        // Without decoding times, pictures may come in another order than they are shown.
        if let last, timing.decoding != nil, time <= last { return false }
        last = time
        interruption.arm()
        try muxer.write(packet, at: timing)
        return true
    }

    func close(within time: Duration) {
        interruption.arm(for: time)
        // The receiver may be gone.
        try? muxer.end()
    }

    /// Writes the session description to its file.
    private static func write(_ description: String, _ path: String) throws(StreamError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { if file >= 0 { Glibc.close(file) } }
        let bytes = Array(description.utf8)
        guard file < 0 || Glibc.write(file, bytes, bytes.count) != bytes.count else { return }
        throw StreamError(
            .unsupported,
            "\(path) cannot be written (\(systemMessage(errno))): check its folder; receivers need this description.",
            underlying: errno)
    }
}

/// Decodes the packets of another source on a thread of its own.
///
///     let packets = PushSource(name: "door", bufferKind: .encoded)
///     let source = DecodingSource(packets) { packet in try MediaPacketDecoder(for: packet) }
///
/// A packet that is broken or missing costs pictures until the next key frame, never the stream: the pictures that
/// depend on it are left out, or shown and marked (``DamagedPictures``). Omitted pictures are counted
/// (``VideoFrameConsumer/sourceDidOmit(_:)``), and the other source is asked for a key frame
/// (``VideoSource/requestKeyFrame()``): once for a loss, and again after every 120 packets without one. Decoders
/// conceal losses, so packets must state them: ``EncodedPacket/Marks``.
///
/// At most 120 packets, or 64 MiB of them, wait for the decoder, for at most four seconds; if there are more, all are
/// left out up to the next key frame. A stream that has no key frame for 150 packets or five seconds is
/// ``SourceCondition/waiting(_:retry:code:)``, with the reason.
///
/// Packets may have no presentation times; then their pictures have none either, and those that are left out may be
/// counted later.
///
/// The codec, its configuration and the size may change with any key frame. Frames that are not encoded are passed on.
///
/// Sinks of packets attach to ``packets``; in a ``VideoStream``, sinks that ask for ``BufferKind/encoded`` do so by
/// themselves.
///
/// **Thread:** any; the consumer gets its calls on the decoding thread.
public final class DecodingSource: PacketSource {
    /// What to do with pictures that depend on lost or broken packets, from a loss to the next key frame.
    public enum DamagedPictures: Hashable, Sendable {
        /// They are left out: the last undamaged picture stays.
        case omitted
        /// They are delivered as the decoder makes them, and marked (``FrameAttributes/isDamaged``).
        case shown
    }

    /// The name of the other source.
    public var name: String { source.name }
    /// What matters in the other source's pictures.
    public var contentHint: VideoContentHint { source.contentHint }
    /// Where the other source's pictures come from.
    public var captureType: VideoCaptureType { source.captureType }

    /// The source of the packets.
    public let source: any VideoSource
    /// Where others get the packets, all of them, however slow the decoder is.
    public let packets: PacketOutlet
    private let makeDecoder: PacketDecoderMaker
    private let life: SourceLife
    private let damagedPictures: DamagedPictures
    private let queue: PacketQueue
    private let now: @Sendable () -> MonotonicTime
    private let demand = ReadingDemand()

    /// Wraps a source.
    ///
    /// - Parameters:
    ///   - source: delivers packets; not used elsewhere.
    ///   - damagedPictures: what becomes of pictures that depend on packets that were lost.
    ///   - makeDecoder: makes a decoder, on the thread that decodes.
    public convenience init(
        _ source: any VideoSource, damagedPictures: DamagedPictures = .omitted,
        makeDecoder: @escaping PacketDecoderMaker
    ) {
        self.init(source, damagedPictures: damagedPictures, now: { .now }, makeDecoder: makeDecoder)
    }

    /// Wraps a source, with another clock.
    package init(
        _ source: any VideoSource, damagedPictures: DamagedPictures = .omitted,
        now: @escaping @Sendable () -> MonotonicTime, makeDecoder: @escaping PacketDecoderMaker
    ) {
        (self.source, self.makeDecoder) = (source, makeDecoder)
        self.damagedPictures = damagedPictures
        self.now = now
        queue = PacketQueue(now: now)
        packets = PacketOutlet(name: source.name) { source.requestKeyFrame() }
        life = SourceLife(name: source.name)
    }

    deinit {
        source.stop()
        source.dispose()
        queue.end()
        packets.end()
    }

    /// Initializes the other source and starts the thread.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        try source.initialize(consumer: PacketConsumer(queue, packets))
        let (source, queue, demand, gate, makeDecoder) = (source, queue, demand, life.gate, makeDecoder)
        let now = now
        let policy = DecodingStage.Policy(showsDamaged: damagedPictures == .shown)
        do throws(StreamError) {
            try life.initialize(consumer, open: {}) {
                let output = DecodingLoop.Output(
                    consume: { frame in _ = gate.pass { $0.consumer?.consume(frame) } },
                    omit: { count in _ = gate.pass { $0.consumer?.sourceDidOmit(count) } },
                    change: { condition in _ = gate.pass { $0.consumer?.sourceDidChange(condition) } },
                    explain: { error in
                        _ = gate.pass { $0.consumer?.sourceDidChange(.waiting(error.description, code: error.code)) }
                    }, requestKeyFrame: { source.requestKeyFrame() })
                var loop = DecodingLoop(
                    queue, DecodingStage(source.name, policy, makeDecoder), demand, output, now: now)
                loop.run()
            }
        } catch {
            source.dispose()
            throw error
        }
    }

    /// Starts the other source.
    public func start() throws(StreamError) {
        try life.start()
        do throws(StreamError) {
            try source.start()
        } catch {
            life.stop()
            throw error
        }
    }

    /// Stops the other source, and forgets the packets that are not decoded yet.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() {
        // Stop our own calls first: a call of the other source may be waiting for the very call that we are in.
        life.stop()
        source.stop()
        queue.clear()
        packets.beginConnection()
    }

    /// Disposes of the other source, and ends the threads.
    public func dispose() {
        stop()
        source.dispose()
        queue.end()
        packets.end()
        life.dispose()
    }

    /// Passes the wants on to the other source and to the decoder.
    public func adapt(to wants: VideoSinkWants) {
        life.adapt(to: wants)
        demand.wants = wants
        source.adapt(to: wants)
    }

    /// Passes the request on to the other source.
    public func requestKeyFrame() { source.requestKeyFrame() }
}

/// Puts what a source delivers into a queue, and gives packets to those who want them.
private final class PacketConsumer: VideoFrameConsumer {
    private let queue: PacketQueue
    private let packets: PacketOutlet

    init(_ queue: PacketQueue, _ packets: PacketOutlet) { (self.queue, self.packets) = (queue, packets) }

    func consume(_ frame: VideoFrame) {
        if case .encoded(let packet) = frame.image { packets.distribute(packet, as: frame) }
        queue.append(frame)
    }

    func sourceDidChange(_ condition: SourceCondition) {
        packets.distribute(condition)
        queue.append(condition)
    }
}

/// A source that delivers what a live stream sends soon after its arrival, and reconnects when the connection is lost.
///
/// * Everything is read as fast as it arrives: after a stall, or with frames buffered by the sender, the source catches
///   up with the newest frame, so that latency never accumulates.
/// * Packets are received on one thread and decoded on another. At most 300 packets, or 64 MiB of them, wait for the
///   decoder, for at most four seconds. If they arrive faster than they can be decoded, frames that no other frame is
///   decoded from are left out, and then everything before the newest key frame.
/// * Pictures that are decoded from packets are held for a ``PlayoutDelay``, so that those that a network delivers
///   together are shown one after the other. Frames that are not encoded are delivered on arrival.
/// * ``initialize(consumer:)`` neither waits for the reader nor fails because of it. While it cannot be opened, after
///   its end and after a failure the consumer gets ``SourceCondition/waiting(_:retry:code:)`` with the reason, and the source
///   retries after the waits of a ``RetrySchedule``. Only a permanent error, ``StreamError/Code/unsupported`` or
///   ``StreamError/Code/refused``, ends it with ``SourceCondition/failed(_:code:)``.
/// * While stopped, it reads and discards frames: started again, it shows the present.
/// * If the opened stream is stored media (``StreamInfo/isLive`` is false), it plays as from a ``PacedSource``. If it
///   has no ``StreamInfo/duration``, a failure counts as a lost connection, and of a stream that is
///   ``StreamInfo/isOngoing``, its end as well.
///
/// The reader is made, used and released on the source's own thread.
public final class LiveSource: PacketSource, RewindableSource {
    /// The name to display.
    public var name: String { life.name }

    /// Where others get the packets, of the video that is shown and of other tracks that they want, also while the source
    /// is stopped.
    ///
    /// A source of frames that are not encoded has none.
    public let packets: PacketOutlet
    private let open: @Sendable () throws -> LiveMedia
    private let retries: LiveRetries
    private let clock: RetryClock
    private let life: SourceLife
    private let demand = ReadingDemand()
    private let delivery: LiveDelivery
    private let received: LivePackets
    private let playout: PlayoutMeter
    private let makeDecoder: PacketDecoderMaker?
    /// Shows the past; `nil` while the present is shown.
    private let past = Monitor<RingPlayer?>(nil)

    /// How long pictures are held at present, beyond what the network takes at its quickest.
    public var playoutDelay: Duration { playout.delay }

    /// What is known of the sender's clock.
    public var captureReport: CaptureReport { playout.report }

    /// What was received as packets of the video that is shown; none of a source of frames that are not encoded.
    public var packetTotals: PacketTotals { received.counter.totals }

    /// Creates a source; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - retries: the waits before each retry.
    ///   - cancellation: the reader's, so that ``dispose()`` need not wait for a network; `nil` for readers that never
    ///     wait long.
    ///   - alignment: other streams with which pictures are shown at the same instant; `nil` for none.
    ///   - open: makes a reader for each try; called on the capture thread. An error of another type than
    ///     ``StreamError`` counts as a ``StreamError/Code/cannotOpen``.
    public convenience init(
        name: String, retries: RetrySchedule = RetrySchedule(), cancellation: ReadCancellation? = nil,
        alignment: PlayoutAlignment? = nil, open: @escaping @Sendable () throws -> any FrameReader
    ) {
        self.init(
            name: name, retries: .scheduled(retries), cancellation: cancellation, clock: RetryClock(),
            alignment: alignment
        ) { .frames(try open()) }
    }

    /// Creates a source of frames or of packets; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - retries: the waits before each retry.
    ///   - cancellation: the reader's.
    ///   - decoder: makes a decoder for the first packet, and for each one with which the codec changes; on the thread
    ///     that decodes.
    ///   - playout: how long pictures are held, unless they are aligned.
    ///   - alignment: other streams with which pictures are shown at the same instant; `nil` for none.
    ///   - open: makes a reader for each try, as above.
    public convenience init(
        name: String, retries: RetrySchedule = RetrySchedule(), cancellation: ReadCancellation? = nil,
        decoder: @escaping PacketDecoderMaker, playout: PlayoutDelay = .adaptive,
        alignment: PlayoutAlignment? = nil, open: @escaping @Sendable () throws -> LiveMedia
    ) {
        self.init(
            name: name, retries: .scheduled(retries), cancellation: cancellation, clock: RetryClock(),
            decoder: decoder, playout: playout, alignment: alignment, open: open)
    }

    /// Creates a source whose reader can be made again when something has happened, rather than after some time.
    ///
    /// - Parameters:
    ///   - name: the name to display.
    ///   - cancellation: the reader's.
    ///   - awaitChance: waits after a failure until another try may succeed, on the capture thread; it must return soon
    ///     after the cancellation. The consumer gets the reason, without the time of the next try.
    ///   - decoder: makes decoders for the packets that the reader may deliver as frames.
    ///   - alignment: other streams with which pictures are shown at the same instant.
    ///   - open: makes a reader for each try.
    package convenience init(
        name: String, cancellation: ReadCancellation, awaitChance: @escaping @Sendable (StreamError) -> Void,
        decoder: PacketDecoderMaker?, alignment: PlayoutAlignment? = nil,
        open: @escaping @Sendable () throws -> any FrameReader
    ) {
        self.init(
            name: name, retries: .chances(awaitChance), cancellation: cancellation, clock: RetryClock(),
            decoder: decoder, alignment: alignment
        ) { .frames(try open()) }
    }

    init(
        name: String, retries: LiveRetries, cancellation: ReadCancellation?, clock: RetryClock,
        decoder: PacketDecoderMaker? = nil, playout: PlayoutDelay = .none, alignment: PlayoutAlignment? = nil,
        open: @escaping @Sendable () throws -> LiveMedia
    ) {
        self.playout = PlayoutMeter(playout, alignment)
        makeDecoder = decoder
        (self.open, self.clock, self.retries) = (open, clock, retries)
        life = SourceLife(name: name, cancellation: cancellation)
        delivery = LiveDelivery(life.gate, clock)
        packets = PacketOutlet(name: name)
        received = LivePackets(name, decoder, demand, delivery, packets, self.playout)
    }

    deinit {
        // A source that is released while it runs must not leave threads behind.
        dispose()
    }

    /// Starts the thread that opens the reader; does not wait for it.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``, or ``StreamError/Code/cannotOpen`` if no thread can be started.
    public func initialize(consumer: any VideoFrameConsumer) throws(StreamError) {
        let (open, retries, clock, delivery) = (open, retries, clock, delivery)
        try life.initialize(consumer, open: {}) { [demand, received] in
            LivePlayer(open, retries, clock, delivery, demand, received).play()
        }
    }

    /// Delivers frames from now on; while waiting for the next try, tries immediately.
    ///
    /// - Throws: ``StreamError/Code/wrongOrder``.
    public func start() throws(StreamError) { try life.start() }

    /// Discards frames from now on.
    ///
    /// When it returns, no call to the consumer is running and none will come. The consumer itself may call this: then
    /// its own call is the last.
    public func stop() {
        life.stop()
        delivery.forget()
    }

    /// The moments that the ring of its ``packets`` has; `nil` without a ring, and before its first packets.
    public var moments: ClosedRange<MonotonicTime>? { makeDecoder == nil ? nil : packets.ring?.span }

    /// The moment of the picture of the past that is shown; `nil` while the present is shown, and before the first one.
    public var shownMoment: MonotonicTime? { past.withLock { $0 }?.shown }

    /// Shows what the ring of its ``packets`` has of another moment, while packets go on being received, recorded and kept.
    ///
    /// The present is decoded meanwhile, so that it is shown at once when it is wanted again.
    ///
    /// - Parameter playhead: which moment, the oldest or newest that the ring has if it is outside; `nil` for the present.
    /// - Throws: ``StreamError/Code/unsupported`` without a ring or packets; ``StreamError/Code/cannotOpen`` if no thread can
    ///   be started.
    public func show(_ playhead: Playhead?) throws(StreamError) {
        guard let playhead else { return showPresent() }
        guard let makeDecoder, let ring = packets.ring, ring.span != nil else {
            throw StreamError(.unsupported, "\(name) has nothing of the past: it keeps none of its packets.")
        }
        try past.withLock { (past) throws(StreamError) in
            if let past { return past.show(playhead) }
            delivery.setPast(true)
            do throws(StreamError) {
                past = try RingPlayer(
                    playhead, of: ring, DecodingStage(name, .live, makeDecoder), demand, name: name
                ) { [delivery] in delivery.handPast($0) }
            } catch {
                delivery.setPast(false)
                throw error
            }
        }
    }

    /// A moment at which the picture after or before another one of the ring is shown.
    public func moment(ofPicture step: PictureStep, from moment: MonotonicTime) -> MonotonicTime? {
        let moments = packets.ring?.pictureMoments ?? []
        // Before the oldest one, that is shown already.
        let shown = moments.lastIndex { $0 <= max(moment, moments[0]) }
        let found: Int? =
            switch step {
            case .next: shown.map { $0 + 1 } ?? 0
            case .previous: shown.map { $0 - 1 }
            }
        return found.flatMap { moments.indices.contains($0) ? moments[$0] : nil }
    }

    private func showPresent() {
        guard let player = takePast() else { return }
        delivery.setPast(false)
        // On another thread: a decoder may be busy, and the caller must not wait.
        let end: @Sendable () -> Void = { [delivery] in
            delivery.showUnseen()
            player.end()
        }
        do throws(StreamError) { try SystemThread(for: name, run: end).detach() } catch { end() }
    }

    private func takePast() -> RingPlayer? {
        past.withLock { past in
            defer { past = nil }
            return past
        }
    }

    /// Ends the threads, and with them the reader.
    public func dispose() {
        life.dispose()
        takePast()?.end()
        received.end()
        packets.end()
        delivery.forget()
    }

    /// Delivers no more than is wanted, and adapts the reader.
    ///
    /// Every frame is read, so that latency never accumulates. When a sink becomes visible again, the newest frame is
    /// delivered immediately, even if no other frame arrives.
    public func adapt(to wants: VideoSinkWants) {
        let wasVisible = life.gate.setTarget { $0.wants = wants }.wants.isVisible
        demand.wants = wants
        guard wants.isVisible, !wasVisible, delivery.hasUnseen else { return }
        // On another thread, because the capture thread waits for the next frame and the caller must not block. If no
        // thread can be started, the consumer gets the next frame instead.
        try? SystemThread(for: name) { [delivery] in delivery.showUnseen() }.detach()
    }
}

/// What a live source reads.
public enum LiveMedia {
    /// Frames, which are delivered on arrival, encoded ones after they were decoded; those of stored media at their
    /// times.
    case frames(any FrameReader)
    /// Packets of a live stream, whose pictures are delivered after they were decoded and held for the playout delay.
    case packets(any PacketReader)
}

/// When a live source tries again.
enum LiveRetries: Sendable {
    /// After the waits of a schedule.
    case scheduled(RetrySchedule)
    /// Whenever a function returns, which waits until an attempt may succeed.
    case chances(@Sendable (StreamError) -> Void)
}

/// The clock for retries, which tests replace.
struct RetryClock: Sendable {
    var now: @Sendable () -> MonotonicTime = { .now }
    /// Waits for a duration, or until the gate has ended or been opened after `opening`.
    var wait: @Sendable (SourceGate, Duration, _ opening: Int) -> Void = { $0.wait(for: $1, orOpeningAfter: $2) }
}

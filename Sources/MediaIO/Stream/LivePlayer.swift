/// Opens readers and delivers their frames on arrival, on the thread that made it, until the gate ends.
struct LivePlayer {
    private let open: () throws -> LiveMedia
    private var retries: LiveRetries
    private let clock: RetryClock
    private let gate: SourceGate
    private let delivery: LiveDelivery
    private let demand: ReadingDemand
    private let packets: LivePackets
    private var demandVersion = 0
    /// Whether a stream was ever opened: of frames, and so its first picture decoded, or of packets that could be decoded
    /// as far as was known when the connection was lost.
    private var hasOpened = false
    /// Whether the stream was ongoing: what it leaves behind when it ends is no stream to be played.
    private var isOngoing = false

    init(
        _ open: @escaping () throws -> LiveMedia, _ retries: LiveRetries, _ clock: RetryClock,
        _ delivery: LiveDelivery, _ demand: ReadingDemand, _ packets: LivePackets
    ) {
        (self.open, self.retries, self.clock, gate) = (open, retries, clock, delivery.gate)
        (self.delivery, self.demand, self.packets) = (delivery, demand, packets)
    }

    /// Plays until the gate has ended.
    consuming func play() {
        while !gate.hasEnded {
            let media: LiveMedia
            do {
                media = try open()
            } catch {
                reportLoss("Not connected", StreamError(error, otherwise: .cannotOpen), after: .zero)
                continue
            }
            switch media {
            case .frames(let reader):
                hasOpened = true
                if isOngoing, !reader.info.isLive, !reader.info.isOngoing {
                    reportLoss("Not connected", StreamError(.readFailed, "The stream has ended."), after: .zero)
                    continue
                }
                isOngoing = reader.info.isOngoing
                if reader.info.isLive { show(reader) } else { playPaced(reader) }
            case .packets(let reader): receive(reader)
            }
        }
    }

    /// Plays a reader at its presentation times, until the gate has ended or a stream without a known end is lost.
    private mutating func playPaced(_ reader: any FrameReader) {
        let begin = clock.now()
        let player = PacedPlayer(
            reader, gate, maximumLateness: PacedSource.defaultLateness,
            reporting: delivery.isWaiting ? .live : nil, endsAtLoss: reader.info.duration == nil)
        delivery.clearConditions()
        if let loss = player.play() { reportLoss("Connection lost", loss, after: clock.now() - begin) }
    }

    /// Receives packets, whose pictures are decoded and delivered on another thread, until the connection is lost.
    private mutating func receive(_ reader: any PacketReader) {
        let begin = clock.now()
        do throws(StreamError) {
            try packets.receive(reader)
            hasOpened = true
            reportLoss("Connection lost", StreamError(.readFailed, "The stream has ended."), after: clock.now() - begin)
        } catch {
            hasOpened = hasOpened || error.code != .unsupported
            reportLoss("Connection lost", error, after: clock.now() - begin)
        }
    }

    /// Delivers the reader's frames, until the connection is lost.
    private mutating func show(_ reader: any FrameReader) {
        let begin = clock.now()
        var omissions = OmissionCounter()
        var damage = reader.corruptCount
        /// Where packets wait for their decoder, once there was one; pictures then come after those before them.
        var queue: PacketQueue?
        /// Pictures that wait for those of other streams must fit into memory.
        var fitting = FrameThinning()
        demandVersion = 0
        (reader as? any ExplainingReader)?.explain = { [packets] in packets.explain($0) }
        do throws(StreamError) {
            // While the source is stopped, frames are read and discarded.
            while var frame = try reader.next() {
                let missing = frame.presentationTime.map { omissions.note($0, frameRate: reader.info.frameRate) } ?? 0
                let omitted = reader.corruptCount != damage ? missing : 0
                damage = reader.corruptCount
                if case .encoded(let packet) = frame.image {
                    if queue == nil { queue = try packets.begin() }
                    if let queue { try packets.pass(packet, frame, to: queue) }
                    if gate.hasEnded { return }
                } else if queue != nil || packets.isAligned {
                    if queue == nil { queue = try packets.beginPictures() }
                    fitting.rate = packets.fittingRate(of: frame)
                    let fits = fitting.takes(clock.now().sinceBoot)
                    if omitted > 0 || !fits { delivery.omit(omitted + (fits ? 0 : 1)) }
                    if fits { queue?.append(frame) }
                    if gate.hasEnded { return }
                } else {
                    if frame.timing.arrival == nil { frame.timing.arrival = clock.now() }
                    if delivery.hand(frame, after: omitted) == .ended { return }
                }
                if demand.hasChanged(since: &demandVersion) { reader.demand?.wants = demand.wants }
            }
            reportLoss("Connection lost", StreamError(.readFailed, "The stream has ended."), after: clock.now() - begin)
        } catch {
            reportLoss("Connection lost", error, after: clock.now() - begin)
        }
    }

    /// Reports the lost connection, and waits for the next try.
    private mutating func reportLoss(_ event: String, _ error: StreamError, after duration: Duration) {
        // When the gate ends, reading is cancelled: that is not a lost connection.
        if gate.hasEnded { return }
        // If the source is started from here on, the reader is opened again at once.
        let opening = gate.openings
        // A sender that returns may at first describe its stream so incompletely that it seems unsupported. If the
        // stream could be opened before, this will pass.
        let isFinal = error.code == .refused || error.code == .unsupported && !hasOpened && !delivery.hasDelivered
        if isFinal { return fail(error) }
        switch retries {
        case .scheduled(var schedule):
            let wait = schedule.nextWait(after: duration)
            retries = .scheduled(schedule)
            packets.report(.waiting("\(event): \(error.description)", retry: clock.now() + wait, code: error.code))
            clock.wait(gate, wait, opening)
        case .chances(let awaitChance):
            packets.report(.waiting(error.description, code: error.code))
            awaitChance(error)
        }
        delivery.tellRest()
    }

    /// Reports the reason each time the source is started, until the gate has ended.
    private func fail(_ error: StreamError) {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            let passage = gate.pass { $0.consumer?.sourceDidChange(.failed(error.description, code: error.code)) }
            if case .passed(let opening) = passage { heard = opening }
        }
    }
}

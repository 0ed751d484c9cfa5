/// Opens readers and delivers their frames on arrival, on the thread that made it, until the gate ends.
struct LivePlayer {
    private let open: () throws -> any FrameReader
    private var retries: LiveRetries
    private let clock: RetryClock
    private let gate: SourceGate
    private let unseen: Monitor<VideoFrame?>
    private var hasUnseen = false
    /// The wants that the reader was last adapted to.
    private var wants = VideoSinkWants.everything
    private var thinning = FrameThinning()
    private var lag = LiveLag()
    private var omissions = OmissionCounter()
    /// Frames left out before the current one.
    private var omitted = 0
    /// The condition not yet reported to the consumer, because the source was stopped.
    private var unreported: SourceCondition?
    private var isWaiting = false
    /// Whether a reader was ever opened, and so its first picture decoded.
    private var hasOpened = false

    init(
        _ open: @escaping () throws -> any FrameReader, _ retries: LiveRetries, _ clock: RetryClock,
        _ gate: SourceGate, _ unseen: Monitor<VideoFrame?>
    ) {
        (self.open, self.retries, self.clock, self.gate, self.unseen) = (open, retries, clock, gate, unseen)
    }

    /// Plays until the gate has ended.
    consuming func play() {
        while !gate.hasEnded {
            let reader: any FrameReader
            do {
                reader = try open()
            } catch {
                reportLoss("Not connected", StreamError(error, otherwise: .cannotOpen), after: .zero)
                continue
            }
            hasOpened = true
            if reader.info.isLive { show(reader) } else { playPaced(reader) }
        }
    }

    /// Plays a reader at its presentation times, until the gate has ended or a stream without a known end is lost.
    private mutating func playPaced(_ reader: any FrameReader) {
        let begin = clock.now()
        let player = PacedPlayer(
            reader, gate, maximumLateness: PacedSource.defaultLateness, reporting: isWaiting ? .live : nil,
            endsAtLoss: reader.info.duration == nil)
        isWaiting = false
        unreported = nil
        if let loss = player.play() { reportLoss("Connection lost", loss, after: clock.now() - begin) }
    }

    /// Delivers the reader's frames, until the connection is lost.
    private mutating func show(_ reader: any FrameReader) {
        let begin = clock.now()
        wants = .everything
        (lag, omissions, omitted) = (LiveLag(), OmissionCounter(), 0)
        var damage = reader.corruptCount
        do throws(StreamError) {
            // While the source is stopped, frames are read and discarded.
            while let frame = try reader.next() {
                if isWaiting {
                    isWaiting = false
                    report(.live)
                }
                tellRest()
                let isOmitting = lag.note(reader, now: clock.now())
                let missing = frame.presentationTime.map { omissions.note($0, frameRate: reader.info.frameRate) } ?? 0
                omitted = isOmitting || reader.corruptCount != damage ? missing : 0
                damage = reader.corruptCount
                if !hand(frame, from: reader) { return }
            }
            reportLoss("Connection lost", StreamError(.readFailed, "The stream has ended."), after: clock.now() - begin)
        } catch {
            reportLoss("Connection lost", error, after: clock.now() - begin)
        }
    }

    /// Delivers a frame if it is wanted; if no sink is visible, keeps it until one is.
    ///
    /// - Returns: false when the gate has ended.
    private mutating func hand(_ frame: VideoFrame, from reader: any FrameReader) -> Bool {
        var now = wants
        let passage = gate.pass { target in
            now = target.wants
            if now.isVisible {
                if omitted > 0 { target.consumer?.sourceDidOmit(omitted) }
                thinning.rate = now.maximumFrameRate
                if thinning.takes(clock.now().sinceBoot) { target.consumer?.consume(frame) }
            }
            // Inside the call, so that a kept frame is never delivered after a newer one.
            if hasUnseen || !now.isVisible { keep(now.isVisible ? nil : frame) }
        }
        if now != wants {
            wants = now
            reader.adapt(to: now)
        }
        return passage != .ended
    }

    private mutating func keep(_ frame: VideoFrame?) {
        hasUnseen = frame != nil
        let old = unseen.withLock { unseen in
            defer { unseen = frame }
            return unseen
        }
        _ = old
    }

    /// Reports the lost connection, and waits for the next try.
    private mutating func reportLoss(_ event: String, _ error: StreamError, after duration: Duration) {
        // When the gate ends, reading is cancelled: that is not a lost connection.
        if gate.hasEnded { return }
        // If the source is started from here on, the reader is opened again at once.
        let opening = gate.openings
        // A sender that returns may at first describe its stream so incompletely that it seems unsupported. If the
        // stream could be opened before, this will pass.
        if error.code == .unsupported, !hasOpened { return fail(error) }
        isWaiting = true
        switch retries {
        case .scheduled(var schedule):
            let wait = schedule.nextWait(after: duration)
            retries = .scheduled(schedule)
            report(.waiting(event, error, tryingAgainAfter: wait))
            clock.wait(gate, wait, opening)
        case .chances(let awaitChance):
            report(.waiting(error.description))
            awaitChance(error)
        }
        tellRest()
    }

    /// Reports the reason each time the source is started, until the gate has ended.
    private func fail(_ error: StreamError) {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            let passage = gate.pass { $0.consumer?.sourceDidChange(.failed(error.description)) }
            if case .passed(let opening) = passage { heard = opening }
        }
    }

    private mutating func report(_ condition: SourceCondition) {
        unreported = condition
        tellRest()
    }

    private mutating func tellRest() {
        guard let condition = unreported else { return }
        if case .passed = gate.pass({ $0.consumer?.sourceDidChange(condition) }) { unreported = nil }
    }
}

extension SourceCondition {
    private static let nextTry = "; trying again in "

    /// The condition after a failure: the reason, and the wait before the next try.
    static func waiting(_ event: String, _ error: StreamError, tryingAgainAfter wait: Duration) -> SourceCondition {
        let reason = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
        return .waiting("\(event): \(reason)\(nextTry)\(wait.components.seconds) s.")
    }

    /// The condition without the wait before the next try: the same for each try that fails for the same reason.
    package var withoutWait: SourceCondition {
        guard case .waiting(let text) = self, let wait = text.ranges(of: Self.nextTry).last else { return self }
        return .waiting(text[..<wait.lowerBound] + ".")
    }
}

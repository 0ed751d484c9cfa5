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
    /// Frames left out before the present one.
    private var omitted = 0
    /// The condition not yet reported to the consumer, because the source was stopped.
    private var unreported: SourceCondition?
    private var isWaiting = false

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
            guard reader.info.isLive else {
                let news = isWaiting ? SourceCondition.live : nil
                return PacedPlayer(reader, gate, maximumLateness: PacedSource.defaultLateness, reporting: news).play()
            }
            show(reader)
        }
    }

    /// Delivers the reader's frames, until the connection is lost.
    private mutating func show(_ reader: any FrameReader) {
        let begin = clock.now()
        wants = .everything
        (lag, omissions, omitted) = (LiveLag(), OmissionCounter(), 0)
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
                omitted = isOmitting ? missing : 0
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
        // Ending the gate has cancelled the reading.
        if gate.hasEnded { return }
        // A start of the source from here on means a new try.
        let opening = gate.openings
        if error.code == .unsupported { return fail(error) }
        isWaiting = true
        switch retries {
        case .scheduled(var schedule):
            let wait = schedule.nextWait(after: duration)
            retries = .scheduled(schedule)
            let reason = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
            report(.waiting("\(event): \(reason); trying again in \(wait.components.seconds) s."))
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

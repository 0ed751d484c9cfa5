/// Opens readers and shows what they deliver on arrival, on the thread that it is made on, until the gate ends.
struct LivePlayer {
    private let open: () throws(StreamError) -> any FrameReader
    private var schedule: RetrySchedule
    private let clock: RetryClock
    private let gate: SourceGate
    /// What the consumer has not heard yet, because the source was stopped.
    private var untold: SourceCondition?
    private var isWaiting = false

    init(
        _ open: @escaping () throws(StreamError) -> any FrameReader, _ schedule: RetrySchedule, _ clock: RetryClock,
        _ gate: SourceGate
    ) {
        (self.open, self.schedule, self.clock, self.gate) = (open, schedule, clock, gate)
    }

    /// Returns when the gate has ended.
    consuming func play() {
        while !gate.hasEnded {
            let reader: any FrameReader
            do throws(StreamError) {
                reader = try open()
            } catch {
                lose("Not connected", error, after: .zero)
                continue
            }
            guard reader.info.isLive else {
                return PacedPlayer(reader, gate, maximumLateness: PacedSource.defaultLateness).play()
            }
            show(reader)
        }
    }

    /// Hands over what the reader delivers, until it is lost.
    private mutating func show(_ reader: any FrameReader) {
        let begin = clock.now()
        do throws(StreamError) {
            // While the source is stopped, frames are read and come to nothing.
            while let frame = try reader.next() {
                if isWaiting {
                    isWaiting = false
                    tell(.live)
                }
                tellRest()
                if gate.pass({ $0?.consume(frame) }) == .ended { return }
            }
            lose("Connection lost", StreamError(.readFailed, "The stream has ended."), after: clock.now() - begin)
        } catch {
            lose("Connection lost", error, after: clock.now() - begin)
        }
    }

    /// Says what is awaited, and waits.
    private mutating func lose(_ event: String, _ error: StreamError, after duration: Duration) {
        // Whoever ended the gate has cancelled the reading.
        if gate.hasEnded { return }
        // Whoever starts the source from here on wants a new try.
        let opening = gate.openings
        if error.code == .unsupported { return fail(error) }
        let wait = schedule.nextWait(after: duration)
        let reason = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
        isWaiting = true
        tell(.waiting("\(event): \(reason); trying again in \(wait.components.seconds) s."))
        clock.wait(gate, wait, opening)
        tellRest()
    }

    /// Tells the reason each time that the source is started, until the gate has ended.
    private func fail(_ error: StreamError) {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            let passage = gate.pass { $0?.sourceDidChange(.failed(error.description)) }
            if case .passed(let opening) = passage { heard = opening }
        }
    }

    private mutating func tell(_ condition: SourceCondition) {
        untold = condition
        tellRest()
    }

    private mutating func tellRest() {
        guard let condition = untold else { return }
        if case .passed = gate.pass({ $0?.sourceDidChange(condition) }) { untold = nil }
    }
}

/// Opens readers and delivers their frames on arrival, on the thread that it is made on, until the gate ends.
struct LivePlayer {
    private let open: () throws(StreamError) -> any FrameReader
    private var schedule: RetrySchedule
    private let clock: RetryClock
    private let consumer: any VideoFrameConsumer
    private let gate: DeliveryGate
    /// The condition not reported yet, because the source was stopped.
    private var untold: SourceCondition?
    private var isWaiting = false

    init(
        _ open: @escaping () throws(StreamError) -> any FrameReader, _ schedule: RetrySchedule, _ clock: RetryClock,
        _ consumer: any VideoFrameConsumer, _ gate: DeliveryGate
    ) {
        (self.open, self.schedule, self.clock) = (open, schedule, clock)
        (self.consumer, self.gate) = (consumer, gate)
    }

    /// Plays until the gate has ended.
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
                return PacedPlayer(reader, consumer, gate, maximumLateness: PacedSource.defaultLateness).play()
            }
            show(reader)
        }
    }

    /// Delivers the reader's frames, until the connection is lost.
    private mutating func show(_ reader: any FrameReader) {
        let begin = clock.now()
        do throws(StreamError) {
            // While the source is stopped, frames are read and discarded.
            while !gate.hasEnded, let frame = try reader.next() {
                if isWaiting {
                    isWaiting = false
                    tell(.live)
                }
                tellRest()
                _ = gate.pass { consumer.consume(frame) }
            }
            lose("Connection lost", StreamError(.readFailed, "The stream has ended."), after: clock.now() - begin)
        } catch {
            lose("Connection lost", error, after: clock.now() - begin)
        }
    }

    /// Reports the loss, and waits for the next try.
    private mutating func lose(_ event: String, _ error: StreamError, after duration: Duration) {
        // Ending the gate has cancelled the reading.
        if gate.hasEnded { return }
        // A start of the source from here on means a new try.
        let opening = gate.openings
        if error.code == .unsupported { return fail(error) }
        let wait = schedule.nextWait(after: duration)
        let reason = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
        isWaiting = true
        tell(.waiting("\(event): \(reason); trying again in \(wait.components.seconds) s."))
        clock.wait(gate, wait, opening)
        tellRest()
    }

    /// Reports the reason each time the source is started, until the gate has ended.
    private func fail(_ error: StreamError) {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            let passage = gate.pass { consumer.sourceDidChange(.failed(error.description)) }
            if case .passed(let opening) = passage { heard = opening }
        }
    }

    private mutating func tell(_ condition: SourceCondition) {
        untold = condition
        tellRest()
    }

    private mutating func tellRest() {
        guard let condition = untold else { return }
        if case .passed = gate.pass({ consumer.sourceDidChange(condition) }) { untold = nil }
    }
}

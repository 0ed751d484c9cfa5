/// Plays a reader at its presentation times, on the thread that it is made on, until the gate ends.
struct PacedPlayer {
    private let reader: any FrameReader
    private let consumer: any VideoFrameConsumer
    private let gate: DeliveryGate
    private var pacer: PresentationPacer
    /// The frame that waits for its time.
    private var pending: VideoFrame?
    /// Why there are no more frames.
    private var end: SourceCondition?

    init(
        _ reader: any FrameReader, _ consumer: any VideoFrameConsumer, _ gate: DeliveryGate, maximumLateness: Duration
    ) {
        (self.reader, self.consumer, self.gate) = (reader, consumer, gate)
        pacer = PresentationPacer(frameRate: reader.info.frameRate, maximumLateness: maximumLateness)
    }

    /// Plays until the gate has ended.
    consuming func play() {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            // Started again after the end was reported.
            if heard > 0, end == .ended { rewind() }
            heard = 0
            pacer.restart()
            while end == nil, gate.isOpen { playFrame() }
            // An end that was not reported because of a stop is reported after the next start.
            guard let end else { continue }
            if case .passed(let opening) = gate.pass({ consumer.sourceDidChange(end) }) { heard = opening }
        }
    }

    /// Reads ahead by one frame, waits for its time, delivers it.
    private mutating func playFrame() {
        do throws(StreamError) {
            if pending == nil { pending = try reader.next() }
        } catch {
            end = .failed(error.description)
            return
        }
        guard let frame = pending else {
            end = .ended
            return
        }
        let due = pacer.due(frame.presentationTime, now: .now)
        while gate.isOpen {
            if case .passed = gate.pass(at: due, { consumer.consume(frame) }) {
                pending = nil
                return
            }
        }
    }

    /// Goes back to the first frame, if the reader can.
    private mutating func rewind() {
        do throws(StreamError) {
            try reader.rewind()
            end = nil
        } catch {
            if error.code != .unsupported { end = .failed(error.description) }
        }
    }
}

/// Plays a reader at its presentation times, on the thread that it is made on, until the gate ends.
struct PacedPlayer {
    private let reader: any FrameReader
    private let consumer: any VideoFrameConsumer
    private let gate: DeliveryGate
    private var pacer: PresentationPacer
    /// The frame that is waiting for its time.
    private var pending: VideoFrame?
    /// Why there are no more frames.
    private var end: SourceCondition?

    init(
        _ reader: any FrameReader, _ consumer: any VideoFrameConsumer, _ gate: DeliveryGate, maximumLateness: Duration
    ) {
        (self.reader, self.consumer, self.gate) = (reader, consumer, gate)
        pacer = PresentationPacer(frameRate: reader.info.frameRate, maximumLateness: maximumLateness)
    }

    /// Returns when the gate has ended.
    consuming func play() {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            // Started again after it has told of the end.
            if heard > 0, end == .ended { rewind() }
            heard = 0
            pacer.restart()
            while end == nil, gate.isOpen { playFrame() }
            // Whoever stops before hearing of the end hears of it when the source is started again.
            guard let end else { continue }
            if case .passed(let opening) = gate.pass({ consumer.sourceDidChange(end) }) { heard = opening }
        }
    }

    /// Reads ahead by one frame, waits for its time, hands it over.
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

    /// Goes back to the first frame, where the reader can.
    private mutating func rewind() {
        do throws(StreamError) {
            try reader.rewind()
            end = nil
        } catch {
            if error.code != .unsupported { end = .failed(error.description) }
        }
    }
}

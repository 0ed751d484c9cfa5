/// Plays a reader at its presentation times, on the thread that it is made on, until the gate ends.
struct PacedPlayer {
    private let reader: any FrameReader
    private let gate: SourceGate
    private var times: FrameTimes
    private var pacer: PresentationPacer
    /// The frame that is waiting, and its time.
    private var pending: (frame: VideoFrame, time: Duration)?
    /// Why there are no more frames.
    private var end: SourceCondition?

    init(_ reader: any FrameReader, _ gate: SourceGate, maximumLateness: Duration) {
        (self.reader, self.gate) = (reader, gate)
        times = FrameTimes(frameRate: reader.info.frameRate)
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
            while playFrame() {}
            // Whoever stops before hearing of the end hears of it when the source is started again.
            guard let end else { continue }
            if case .passed(let opening) = gate.pass({ $0?.sourceDidChange(end) }) { heard = opening }
        }
    }

    /// Reads ahead by one frame, waits for its time, hands it over.
    ///
    /// - Returns: whether it was handed over; otherwise the source was stopped, or there is no other frame.
    private mutating func playFrame() -> Bool {
        if pending == nil { read() }
        guard let (frame, time) = pending else { return false }
        guard case .passed = gate.pass(at: pacer.due(time, now: .now), { $0?.consume(frame) }) else { return false }
        pending = nil
        return true
    }

    private mutating func read() {
        guard end == nil else { return }
        do throws(StreamError) {
            if let frame = try reader.next() {
                pending = (frame, times.time(of: frame))
            } else {
                end = .ended
            }
        } catch {
            end = .failed(error.description)
        }
    }

    /// Goes back to the first frame, where the reader can.
    private mutating func rewind() {
        do throws(StreamError) {
            try reader.rewind()
            times.reset()
            end = nil
        } catch {
            if error.code != .unsupported { end = .failed(error.description) }
        }
    }
}

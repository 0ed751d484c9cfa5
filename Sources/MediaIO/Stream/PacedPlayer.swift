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

    /// What is wanted, as of a change at the gate.
    private var wants = VideoSinkWants.everything
    private var change = 0
    private var thinning = FrameThinning()
    /// The frame that would be seen now if anybody looked.
    private var unseen: VideoFrame?

    init(_ reader: any FrameReader, _ gate: SourceGate, maximumLateness: Duration) {
        (self.reader, self.gate) = (reader, gate)
        times = FrameTimes(frameRate: reader.info.frameRate)
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
            while playFrame() {}
            // Whoever stops before hearing of the end hears of it when the source is started again.
            guard let end else { continue }
            if case .passed(let opening) = gate.pass({ $0.consumer?.sourceDidChange(end) }) { heard = opening }
        }
    }

    /// Reads ahead by one frame, waits for its time, hands it over if it is wanted.
    ///
    /// - Returns: whether its time came; otherwise the source was stopped, or there is no other frame.
    private mutating func playFrame() -> Bool {
        if pending == nil { read() }
        guard let (frame, time) = pending else { return false }
        let due = pacer.due(time, now: .now)
        while true {
            let passage = gate.pass(at: due, unlessChangedAfter: change) { target in
                guard wants.isVisible else { return }
                if thinning.takes(time) { target.consumer?.consume(frame) }
            }
            switch passage {
            case .passed:
                unseen = wants.isVisible ? nil : frame
                pending = nil
                return true
            case .changed(let number): adapt(number)
            case .closed, .ended, .nested: return false
            }
        }
    }

    private mutating func read() {
        guard end == nil, !standsStill() else { return }
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

    /// Obeys what is wanted now, and shows what was missed.
    private mutating func adapt(_ number: Int) {
        change = number
        let new = gate.target.wants
        guard new != wants else { return }
        (wants, thinning.rate) = (new, new.maximumFrameRate)
        reader.adapt(to: new)
        guard wants.isVisible, let missed = unseen else { return }
        _ = gate.pass { $0.consumer?.consume(missed) }
        unseen = nil
    }

    /// While nobody looks, waits instead of reading, where the reader can make up for it.
    ///
    /// - Returns: whether the source was stopped meanwhile.
    private mutating func standsStill() -> Bool {
        guard !wants.isVisible, skip() else { return false }
        unseen = nil
        // What was shown before is out of date by then.
        defer { _ = skip() }
        while !wants.isVisible {
            guard let number = gate.awaitChange(after: change) else { return true }
            adapt(number)
        }
        return false
    }

    /// Goes on to the present time without reading, where the reader can.
    private mutating func skip() -> Bool {
        guard let time = pacer.time(at: .now), reader.skip(to: time) else { return false }
        pacer.skip(to: time)
        return true
    }

    /// Goes back to the first frame, where the reader can.
    private mutating func rewind() {
        do throws(StreamError) {
            try reader.rewind()
            times.reset()
            thinning.reset()
            end = nil
        } catch {
            if error.code != .unsupported { end = .failed(error.description) }
        }
    }
}

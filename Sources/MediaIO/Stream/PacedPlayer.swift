/// Plays a reader at its presentation times, on the thread that made it, until the gate ends.
struct PacedPlayer {
    private let reader: any FrameReader
    private let gate: SourceGate
    private var times: FrameTimes
    private var pacer: PresentationPacer
    private let timeline: PlaybackTimeline
    private let maximumLateness: Duration
    /// Whether the frames are shown by the machine's clock.
    private var isJoined = false
    /// The frame that is waiting, and its time.
    private var pending: (frame: VideoFrame, time: Duration)?
    /// Why there are no more frames.
    private var end: SourceCondition?
    /// Whether a failure ends playing, because the reader may be made again.
    private let endsAtLoss: Bool
    /// The failure that ends playing.
    private var loss: StreamError?

    /// The condition to report before the first frame.
    private var news: SourceCondition?

    /// The wants, as of the change at the gate with the number `change`.
    private var wants = VideoSinkWants.everything
    private var change = 0
    private var thinning = FrameThinning()
    private var lateness = LatenessRule()
    private var omissions = OmissionCounter()
    /// Frames left out before the waiting one.
    private var omitted = 0
    /// The frame to show as soon as a sink is visible.
    private var unseen: VideoFrame?
    /// Which moment is shown; `nil` for the present.
    private var playhead: Playhead?
    /// What is told of the past; `nil` if there is nobody to ask for it.
    private let past: Monitor<PacedPast>?
    /// The times of the first frame and of the last one that was read.
    private var (firstTime, lastTime) = (Duration?.none, Duration?.none)
    /// Whether the reader turned out not to go back.
    private var isForwardOnly = false
    /// When the first frame was due, as it was told.
    private var begin: MonotonicTime?

    /// - Parameters:
    ///   - reader: what to play.
    ///   - gate: ends playing.
    ///   - maximumLateness: how late a frame may be before the others wait for it.
    ///   - timeline: which clock says what is shown.
    ///   - news: the condition to report before the first frame.
    ///   - endsAtLoss: whether ``play()`` returns after a failure instead of reporting it; the end of an ongoing stream
    ///     is one, too.
    ///   - past: where it tells what it can show of other moments.
    init(
        _ reader: any FrameReader, _ gate: SourceGate, maximumLateness: Duration,
        timeline: PlaybackTimeline = .own, reporting news: SourceCondition? = nil, endsAtLoss: Bool = false,
        past: Monitor<PacedPast>? = nil
    ) {
        self.past = past
        (self.reader, self.gate, self.news, self.endsAtLoss) = (reader, gate, news, endsAtLoss)
        (self.timeline, self.maximumLateness) = (timeline, maximumLateness)
        times = FrameTimes(frameRate: reader.info.frameRate)
        pacer = PresentationPacer(frameRate: reader.info.frameRate, maximumLateness: maximumLateness)
    }

    /// Plays until the gate has ended, or until a failure if that ends playing.
    ///
    /// - Returns: the failure, which the consumer was not told.
    consuming func play() -> StreamError? {
        var heard = 0
        while gate.awaitOpen(after: heard) != nil {
            // Started again after the end was reported.
            if heard > 0, end == .ended { rewind() }
            heard = 0
            tellNews()
            if playhead == nil, gate.target.playhead == nil {
                pacer.restart()
                isJoined = false
                lateness.restart()
            } else if let number = gate.awaitChange(after: change, until: .now) {
                // Moments of the past are counted as before the stop.
                adapt(number)
            }
            while playFrame() {}
            if loss != nil || end != nil { tellBegin(nil) }
            if let loss { return loss }
            // If the source is stopped before the end is reported, it is reported after the next start.
            guard let end else { continue }
            if case .passed(let opening) = gate.pass({ $0.consumer?.sourceDidChange(end) }) { heard = opening }
        }
        return nil
    }

    private mutating func tellNews() {
        guard let condition = news else { return }
        if case .passed = gate.pass({ $0.consumer?.sourceDidChange(condition) }) { news = nil }
    }

    /// Reads ahead by one frame, waits for its time, and delivers it if it is wanted.
    ///
    /// - Returns: false if the source was stopped before that time, or there is no other frame.
    private mutating func playFrame() -> Bool {
        if playhead?.isStopped == true { return standStill() }
        if pending == nil { read() }
        if timeline == .machineClock, playhead == nil { keepToClock() }
        guard let (frame, time) = pending else { return false }
        let now = MonotonicTime.now
        let due = pacer.due(time, now: now - delay) + delay
        noteLateness(pacer.lateness, now: now)
        // Without a closure, which would be allocated for each frame.
        if let firstTime { tellBegin(pacer.moment(of: firstTime)) }
        while true {
            let passage = gate.pass(at: due, unlessChangedAfter: change) { target in
                guard wants.isVisible else { return }
                if omitted > 0 { target.consumer?.sourceDidOmit(omitted) }
                if thinning.takes(time) { target.consumer?.consume(frame) }
            }
            switch passage {
            case .passed:
                unseen = wants.isVisible ? nil : frame
                pending = nil
                if playhead != nil { tellShown(pacer.moment(of: time)) }
                return true
            // Another frame may be wanted instead.
            case .changed(let number): if adapt(number) { return true }
            case .closed, .ended, .nested: return false
            }
        }
    }

    private mutating func read() {
        guard end == nil, loss == nil, !standsStill() else { return }
        readOne()
    }

    private mutating func readOne() {
        do throws(StreamError) {
            if let frame = try reader.next() {
                let time = times.time(of: frame)
                pending = (frame, time)
                (firstTime, lastTime) = (firstTime ?? time, time)
                let missing = omissions.note(time, frameRate: reader.info.frameRate)
                omitted = lateness.isOmitting ? missing : 0
            } else if endsAtLoss, reader.info.isOngoing {
                loss = StreamError(.readFailed, "The stream has ended.")
            } else {
                end = .ended
            }
        } catch {
            if endsAtLoss { loss = error } else { end = .failed(error.description, code: error.code) }
        }
    }

    /// Goes to the frame that the machine's clock asks for: at first, after a long delay, and when the clock was set.
    private mutating func keepToClock() {
        guard let next = pending?.time, reader.info.duration == nil else { return }
        let (time, now) = MachineClock.read()
        let ahead = pacer.time(at: now).map { $0 - time } ?? .zero
        // Two clocks go apart slowly, and the machine's may be corrected.
        if isJoined, ahead <= maximumLateness, .zero - ahead <= maximumLateness { return pacer.move(time, to: now) }
        isJoined = false
        // Readers skip forwards only.
        if next > time { rewind() }
        guard end == nil, reader.skip(to: time) else { return }
        pending = nil
        read()
        guard pending != nil else { return }
        isJoined = true
        pacer.join(time, at: now)
        omissions.restart()
    }

    /// Leaves out frames while they are too late.
    private mutating func noteLateness(_ time: Duration, now: MonotonicTime) {
        if lateness.note(time, now: now) { reader.demand?.isOmitting = lateness.isOmitting }
    }

    /// Adapts to the present wants, and delivers the frame that was missed.
    ///
    /// - Returns: whether it has gone to another moment.
    @discardableResult
    private mutating func adapt(_ number: Int) -> Bool {
        change = number
        let target = gate.target
        adapt(to: target.wants)
        guard target.playhead != playhead, !isForwardOnly else { return false }
        turn(to: target.playhead)
        return true
    }

    private mutating func adapt(to new: VideoSinkWants) {
        guard new != wants else { return }
        (wants, thinning.rate) = (new, new.maximumFrameRate)
        reader.demand?.wants = new
        guard wants.isVisible, let missed = unseen else { return }
        _ = gate.pass { $0.consumer?.consume(missed) }
        unseen = nil
    }

    /// If the reader can skip, waits instead of reading while no sink is visible, at most until the end of the stream.
    ///
    /// - Returns: whether the source was stopped meanwhile.
    private mutating func standsStill() -> Bool {
        guard !wants.isVisible, skip() else { return false }
        unseen = nil
        // The last frame is out of date by then.
        defer { _ = skip() }
        let end = reader.info.duration.flatMap(pacer.moment).map { $0 + delay }
        while !wants.isVisible {
            guard let number = gate.awaitChange(after: change, until: end) else { return true }
            if number == change { break }
            adapt(number)
        }
        return false
    }

    /// Skips to the present time without reading, if the reader can.
    private mutating func skip() -> Bool {
        guard let time = pacer.time(at: .now - delay), reader.skip(to: time) else { return false }
        pacer.skip(to: time)
        omissions.restart()
        return true
    }

    // MARK: The past

    /// How long after they are due at present frames are shown.
    private var delay: Duration { if case .behind(let delay)? = playhead { delay } else { .zero } }

    /// Goes to the frame of another moment, or to the present one.
    private mutating func turn(to new: Playhead?) {
        playhead = new
        tellShown(nil)
        guard let moment = pacer.time(at: new?.moment(now: .now) ?? .now), let firstTime, let lastTime else { return }
        let time = max(moment, firstTime)
        // Skipping to zero changes nothing, but tells whether the reader can. It skips to a frame after the last one that
        // was read, and that one may be wanted.
        let isBefore = time < lastTime || pending != nil && time < lastTime + .seconds(1)
        guard reader.skip(to: .zero), !isBefore || rewind() else {
            (isForwardOnly, playhead) = (true, nil)
            return tellBegin(nil)
        }
        _ = reader.skip(to: time)
        (pending, unseen) = (nil, nil)
        readOne()
        pacer.skip(to: time)
        thinning.reset()
        omissions.restart()
        omitted = 0
    }

    /// Shows the frame of the moment, and waits until another one is wanted.
    ///
    /// - Returns: false if the source was stopped.
    private mutating func standStill() -> Bool {
        if let (frame, time) = pending {
            let passage = gate.pass(unlessChangedAfter: change) { target in
                if wants.isVisible { target.consumer?.consume(frame) }
            }
            switch passage {
            case .passed:
                unseen = wants.isVisible ? nil : frame
                pending = nil
                tellShown(pacer.moment(of: time))
            case .changed(let number): adapt(number)
            case .closed, .ended, .nested: return false
            }
            return true
        }
        guard let number = gate.awaitChange(after: change, until: nil) else { return false }
        adapt(number)
        return true
    }

    private mutating func tellBegin(_ begin: MonotonicTime?) {
        let begin = isForwardOnly ? nil : begin
        guard let past, begin != self.begin else { return }
        self.begin = begin
        let frameDuration = (reader.info.frameRate ?? FrameTimes.assumedRate).time(ofFrame: 1)
        past.withLock { ($0.begin, $0.frameDuration) = (begin, frameDuration) }
    }

    private func tellShown(_ moment: MonotonicTime?) { past?.withLock { $0.shown = moment } }

    /// Goes back to the first frame, if the reader can.
    @discardableResult
    private mutating func rewind() -> Bool {
        do throws(StreamError) {
            try reader.rewind()
            times.reset()
            thinning.reset()
            end = nil
            return true
        } catch {
            if error.code != .unsupported { end = .failed(error.description, code: error.code) }
            return false
        }
    }
}

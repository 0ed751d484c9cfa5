/// Decodes what waits in a queue, on the thread that calls it, until the queue ends.
///
/// If packets wait too long because decoding is too slow, frames that no other frame is decoded from are left out, by the
/// ``LatenessRule``; if that is not enough, everything before the newest key frame.
///
/// With a playout delay, each picture is held until it is due by the ``PlayoutClock``; meanwhile the packets wait in the
/// queue, so that only one decoded picture waits.
struct DecodingLoop {
    /// What gets the pictures.
    struct Output {
        var consume: (VideoFrame) -> Void
        var omit: (Int) -> Void
        var change: (SourceCondition) -> Void
        /// Told why no packet can be decoded at present, once for each reason.
        var explain: (StreamError) -> Void
        /// Asks the source for a key frame.
        var requestKeyFrame: () -> Void
    }

    /// If packets wait longer than this, everything before the newest key frame is left out.
    static let longestDelay = Duration.seconds(1)

    private let queue: PacketQueue
    private let output: Output
    private let demand: ReadingDemand
    private var demandVersion = 0
    private let now: () -> MonotonicTime
    private let hold: (MonotonicTime) -> Bool
    private let isSeen: () -> Bool
    private let timer: PictureTimer
    private var stage: DecodingStage
    private var lateness = LatenessRule()
    /// The reason, last reported to the consumer, why packets cannot be decoded at present.
    private var problem: String?

    /// - Parameters:
    ///   - queue: what is decoded.
    ///   - stage: decodes it.
    ///   - demand: what sinks want.
    ///   - output: what gets the pictures.
    ///   - playout: the playout delay; `nil` for none.
    ///   - now: the clock.
    ///   - machineClock: reads the machine's clock.
    ///   - isSeen: whether its pictures are shown at present; if not, decoding may wait for that of others, and what it takes
    ///     does not lengthen the playout delay.
    ///   - hold: waits until a time; returns false if what waits is not wanted any more. `nil` for the queue's.
    init(
        _ queue: PacketQueue, _ stage: DecodingStage, _ demand: ReadingDemand, _ output: Output,
        playout: PlayoutMeter? = nil, now: @escaping () -> MonotonicTime = { .now },
        machineClock: @escaping PictureTimer.Clock = MachineClock.read,
        isSeen: @escaping () -> Bool = { true }, hold: ((MonotonicTime) -> Bool)? = nil
    ) {
        (self.queue, self.stage, self.demand, self.output, self.now) = (queue, stage, demand, output, now)
        timer = PictureTimer(playout, machineClock)
        self.isSeen = isSeen
        self.hold = hold ?? { queue.wait(until: $0) }
    }

    /// Decodes until the queue ends.
    mutating func run() {
        while let (entry, delay) = queue.nextWithDelay() {
            switch entry {
            case .packet(let packet, let time, let attributes):
                let arrival = now() - delay
                keepUp(delay - timer.held)
                timer.note(packet, time: time, arrival: arrival, now: now())
                if demand.hasChanged(since: &demandVersion) { stage.adapt(to: demand.wants) }
                with(arrival) { stage, deliver in
                    stage.decode(packet, time: time, attributes: attributes, deliver)
                }
            case .picture(let frame): show(frame, arrival: now() - delay)
            case .condition(let condition):
                if condition == .ended { with(now() - delay) { stage, deliver in stage.drain(deliver) } }
                problem = nil
                output.change(condition)
            case .lost(let count, let needsKeyFrame):
                // Pictures from before the loss are undamaged.
                with(now() - delay) { stage, deliver in stage.noteLeftOut(count, needsKeyFrame: needsKeyFrame, deliver)
                }
            case .reset:
                stage.reset()
                lateness.restart()
                timer.reset()
                problem = nil
            }
        }
    }

    /// - Parameter delay: how long packets wait for the decoder, beyond the playout delay.
    private mutating func keepUp(_ delay: Duration) {
        if lateness.note(delay, now: now()) { stage.setOmitting(lateness.isOmitting) }
        if delay > Self.longestDelay { queue.skipToNewestKeyFrame() }
    }

    /// Calls the stage, and hands out what it delivers.
    ///
    /// - Parameters:
    ///   - arrival: when what is decoded has arrived.
    ///   - body: calls the stage.
    private mutating func with(
        _ arrival: MonotonicTime, _ body: (inout DecodingStage, (DecodingStage.Output) -> Void) -> Void
    ) {
        var problem = problem
        let (queue, output, now, hold, timer, isSeen) = (queue, output, now, hold, timer, isSeen)
        // Decoding takes its time, too; what pictures wait for is not counted.
        var begin = now()
        body(&stage) { result in
            switch result {
            case .picture(var frame):
                let ready = now()
                timer.noteDecoded(&frame, now: ready)
                let duration = isSeen() ? ready - begin : .zero
                let due = timer.place(&frame, arrival: arrival, ready: arrival + duration, now: ready)
                if let due, due > ready {
                    guard hold(due) else { return }
                    let waited = now() - ready
                    begin = begin + waited
                    timer.noteWait(waited)
                }
                if problem != nil { output.change(.live) }
                problem = nil
                output.consume(frame)
            case .omitted(let count): output.omit(count)
            case .needsKeyFrame: if !queue.hasKeyFrame { output.requestKeyFrame() }
            case .unusable(let error):
                // Another reason may already explain why packets are left out.
                guard problem != error.description, error.code != .malformed || problem == nil else { return }
                problem = error.description
                output.explain(error)
            }
        }
        self.problem = problem
    }

    /// Shows a picture that was not encoded, when it is due.
    private func show(_ frame: VideoFrame, arrival: MonotonicTime) {
        var frame = frame
        let now = now()
        if let due = timer.place(&frame, arrival: arrival, ready: arrival, now: now), due > now, !hold(due) { return }
        output.consume(frame)
    }
}

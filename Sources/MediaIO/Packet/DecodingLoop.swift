/// Decodes what waits in a queue, on the thread that calls it, until the queue ends.
///
/// If packets wait too long because decoding is too slow, frames that no other frame is decoded from are left out, by the
/// ``LatenessRule``; if that is not enough, everything before the newest key frame.
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
    private var stage: DecodingStage
    private var lateness = LatenessRule()
    /// The reason, last reported to the consumer, why packets cannot be decoded at present.
    private var problem: String?

    /// - Parameters:
    ///   - queue: what is decoded.
    ///   - stage: decodes it.
    ///   - demand: what sinks want.
    ///   - output: what gets the pictures.
    ///   - now: the clock.
    init(
        _ queue: PacketQueue, _ stage: DecodingStage, _ demand: ReadingDemand, _ output: Output,
        now: @escaping () -> MonotonicTime = { .now }
    ) {
        (self.queue, self.stage, self.demand, self.output, self.now) = (queue, stage, demand, output, now)
    }

    /// Decodes until the queue ends.
    mutating func run() {
        while let (entry, delay) = queue.nextWithDelay() {
            switch entry {
            case .packet(let packet, let time, let attributes):
                keepUp(delay)
                if demand.hasChanged(since: &demandVersion) { stage.adapt(to: demand.wants) }
                with { stage, deliver in stage.decode(packet, time: time, attributes: attributes, deliver) }
            case .picture(let frame): output.consume(frame)
            case .condition(let condition):
                if condition == .ended { with { stage, deliver in stage.drain(deliver) } }
                problem = nil
                output.change(condition)
            case .lost(let count, let needsKeyFrame):
                // Pictures from before the loss are undamaged.
                with { stage, deliver in stage.noteLeftOut(count, needsKeyFrame: needsKeyFrame, deliver) }
            case .reset:
                stage.reset()
                lateness.restart()
                problem = nil
            }
        }
    }

    private mutating func keepUp(_ delay: Duration) {
        if lateness.note(delay, now: now()) { stage.setOmitting(lateness.isOmitting) }
        if delay > Self.longestDelay { queue.skipToNewestKeyFrame() }
    }

    /// Calls the stage, and hands out what it delivers.
    private mutating func with(_ body: (inout DecodingStage, (DecodingStage.Output) -> Void) -> Void) {
        var problem = problem
        let (queue, output) = (queue, output)
        body(&stage) { result in
            switch result {
            case .picture(let frame):
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
}

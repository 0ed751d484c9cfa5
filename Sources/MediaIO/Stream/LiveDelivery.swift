internal import Synchronization

/// Hands the pictures of a live source to its consumer as they come, and tells it of conditions, once it is started.
///
/// **Thread:** any; pictures one at a time.
final class LiveDelivery: Sendable {
    private struct State {
        var thinning = FrameThinning()
        var hasUnseen = false
    }

    let gate: SourceGate
    private let clock: RetryClock
    /// Used only inside the gate, where one thread is at a time.
    nonisolated(unsafe) private var state = State()
    /// The newest frame while no sink is visible.
    private let unseen = Monitor<VideoFrame?>(nil)
    /// The condition not yet reported to the consumer, because the source was stopped.
    private let unreported = Monitor<SourceCondition?>(nil)
    private let hasUnreported = Atomic(false)
    /// The last condition.
    private let last = Monitor<SourceCondition?>(nil)
    private let isWaitingFlag = Atomic(false)
    private let hasDeliveredFlag = Atomic(false)
    private let isPast = Atomic(false)
    /// The newest of the past while no sink is visible.
    private let unseenPast = Monitor<VideoFrame?>(nil)

    init(_ gate: SourceGate, _ clock: RetryClock) { (self.gate, self.clock) = (gate, clock) }

    /// The last condition, whether or not the consumer knows it; `nil` for none.
    var lastCondition: SourceCondition? { last.withLock { $0 } }
    /// Whether the last condition was that the source waits.
    var isWaiting: Bool { isWaitingFlag.load(ordering: .relaxed) }
    /// Whether there was ever a picture.
    var hasDelivered: Bool { hasDeliveredFlag.load(ordering: .relaxed) }

    /// Delivers a picture if it is wanted; if no sink is visible, keeps it until one is.
    ///
    /// - Parameters:
    ///   - frame: the picture.
    ///   - omitted: how many before it were left out.
    /// - Returns: whether it passed the gate.
    @discardableResult
    func hand(_ frame: VideoFrame, after omitted: Int = 0) -> GatePassage {
        if isWaitingFlag.exchange(false, ordering: .relaxed) { report(.live) } else { tellRest() }
        hasDeliveredFlag.store(true, ordering: .relaxed)
        return gate.pass { target in
            let wants = target.wants
            let isShown = wants.isVisible && !showsPast
            if isShown {
                if omitted > 0 { target.consumer?.sourceDidOmit(omitted) }
                state.thinning.rate = wants.maximumFrameRate
                if state.thinning.takes(clock.now().sinceBoot) { target.consumer?.consume(frame) }
            }
            // Inside the call, so that a kept frame is never delivered after a newer one.
            if state.hasUnseen || !isShown { keep(isShown ? nil : frame) }
        }
    }

    /// Whether pictures of the past are delivered instead of the present ones.
    var showsPast: Bool { isPast.load(ordering: .relaxed) }

    /// Delivers pictures of the past instead of the present ones, or these again.
    func setPast(_ isPast: Bool) {
        self.isPast.store(isPast, ordering: .relaxed)
        unseenPast.withLock { $0 = nil }
    }

    /// Delivers a picture of the past, if that is shown; if no sink is visible, keeps it until one is.
    ///
    /// - Returns: false while the source is stopped.
    func handPast(_ frame: VideoFrame) -> Bool {
        let passage = gate.pass { target in
            guard showsPast else { return }
            let isVisible = target.wants.isVisible
            if isVisible { show(frame, target.consumer) }
            unseenPast.withLock { $0 = isVisible ? nil : frame }
        }
        return passage != .closed
    }

    /// Counts pictures that were left out.
    func omit(_ count: Int) {
        _ = gate.pass { target in if target.wants.isVisible { target.consumer?.sourceDidOmit(count) } }
    }

    private func keep(_ frame: VideoFrame?) {
        state.hasUnseen = frame != nil
        let old = unseen.withLock { unseen in
            defer { unseen = frame }
            return unseen
        }
        _ = old
    }

    /// Whether a frame waits for a sink that is visible.
    var hasUnseen: Bool { waiting.withLock { $0 != nil } }

    private var waiting: Monitor<VideoFrame?> { showsPast ? unseenPast : unseen }

    /// Delivers the frame that waited for a sink to be visible.
    func showUnseen() {
        _ = gate.pass { target in
            let frame = waiting.withLock { frame in
                defer { frame = nil }
                return frame
            }
            guard let frame, target.wants.isVisible else { return }
            show(frame, target.consumer)
        }
    }

    /// Delivers a picture that may be from before a loss.
    private func show(_ frame: VideoFrame, _ consumer: (any VideoFrameConsumer)?) {
        consumer?.consume(frame)
        // A picture means to the consumer that the source is live.
        if isWaiting, let condition = lastCondition { consumer?.sourceDidChange(condition) }
    }

    /// Forgets the frame that waits.
    func forget() {
        let old = unseen.withLock { unseen in
            defer { unseen = nil }
            return unseen
        }
        _ = old
    }

    // MARK: Conditions

    /// Tells the consumer of a condition, as soon as the source is started.
    func report(_ condition: SourceCondition) {
        if case .waiting = condition { isWaitingFlag.store(true, ordering: .relaxed) }
        last.withLock { $0 = condition }
        unreported.withLock {
            $0 = condition
            hasUnreported.store(true, ordering: .relaxed)
        }
        tellRest()
    }

    /// Tells the consumer why there are no pictures, unless that was the last it was told.
    func explain(_ error: StreamError) {
        let condition = SourceCondition.waiting(error.description, code: error.code)
        if lastCondition != condition { report(condition) }
    }

    /// Forgets what is not reported yet, and that the source waits.
    func clearConditions() {
        isWaitingFlag.store(false, ordering: .relaxed)
        hasUnreported.store(false, ordering: .relaxed)
        unreported.withLock { $0 = nil }
        last.withLock { $0 = nil }
    }

    /// Tells the consumer of the condition that it was not told while the source was stopped.
    func tellRest() {
        guard hasUnreported.load(ordering: .relaxed) else { return }
        _ = gate.pass { target in
            // Inside the call, so that of two threads only one tells it.
            let condition = unreported.withLock { condition in
                defer { condition = nil }
                hasUnreported.store(false, ordering: .relaxed)
                return condition
            }
            if let condition { target.consumer?.sourceDidChange(condition) }
        }
    }
}

import MediaIO

/// Puts the frames of an input into the mailbox of one tile, with what the tile's options set.
///
/// A frame that the options do not fit, such as one that is smaller than its crop, is left out; the tile says why.
///
/// A sink that replaces another one is silent until its first frame, which closes the other one: the tile always shows
/// something.
///
/// **Thread:** that of the source. **Cost:** every frame; a short lock, and the mailbox's.
final class TileSink: VideoSink {
    /// Whether frames pass.
    private enum Gate {
        case open
        /// Closed until the first frame, which closes the other one.
        case waiting(old: TileSink)
        case closed
    }

    private struct State {
        /// What the tile's options set.
        var adjustment: InputAdjustment
        /// The last frame's attributes without it.
        var own: FrameAttributes?
        var gate: Gate
        /// Why the last frame was left out.
        var problem: String?
    }

    /// The tile's mailbox.
    let mailbox: FrameMailbox
    /// The lock is held while the mailbox is called, so that nothing comes from a sink after it was closed.
    private let state: Monitor<State>

    /// - Parameters:
    ///   - mailbox: the tile's mailbox.
    ///   - adjustment: what the tile's options set.
    ///   - old: the sink of the same mailbox that this one replaces at its first frame; `nil` for none.
    init(_ mailbox: FrameMailbox, _ adjustment: InputAdjustment, insteadOf old: TileSink? = nil) {
        self.mailbox = mailbox
        state = Monitor(State(adjustment: adjustment, gate: old.map { .waiting(old: $0) } ?? .open))
    }

    /// Changes what the tile's options set, from the next frame on.
    ///
    /// - Returns: the attributes of the last frame without any options; `nil` before the first.
    func set(_ adjustment: InputAdjustment) -> FrameAttributes? {
        state.withLock { state in
            state.adjustment = adjustment
            return state.own
        }
    }

    /// The attributes of the last frame without any options; `nil` before the first.
    var ownAttributes: FrameAttributes? { state.withLock(\.own) }

    /// Whether the tile shows this sink's frames, and no other's.
    var isOpen: Bool { state.withLock { if case .open = $0.gate { true } else { false } } }

    private func close() { state.withLock { $0.gate = .closed } }

    var demand: SinkDemand? { mailbox.demand }

    func consume(_ frame: VideoFrame) {
        var frame = frame
        state.withLock { state in
            switch state.gate {
            case .open: break
            case .closed: return
            case .waiting(let old):
                old.close()
                mailbox.sourceDidSwitch()
                state.gate = .open
            }
            state.own = frame.attributes
            do throws(StreamError) {
                try state.adjustment.adjust(&frame)
                state.problem = nil
                mailbox.consume(frame)
            } catch {
                guard state.problem != error.description else { return }
                state.problem = error.description
                state.adjustment.report(error)
                mailbox.sourceDidChange(.failed(error.description, code: error.code))
            }
        }
    }

    func sourceDidOmit(_ count: Int) {
        state.withLock { if case .open = $0.gate { mailbox.sourceDidOmit(count) } }
    }

    func sourceDidChange(_ condition: SourceCondition) {
        state.withLock { state in
            guard case .open = state.gate else { return }
            state.problem = nil
            mailbox.sourceDidChange(condition)
        }
    }

    func sourceDidSwitch() { state.withLock { if case .open = $0.gate { mailbox.sourceDidSwitch() } } }
    func initialize() throws(StreamError) { try mailbox.initialize() }
    func dispose() { mailbox.dispose() }
}

import CVitrailFFmpeg
import Dispatch
import MediaIO
import VitrailSupport

/// Limits how many decoders work at once: the readers that share the slots take turns.
///
/// With more streams than the processor can decode, every decoder would always be ready to run, and together they would
/// starve the thread that draws.
///
///     var options = MediaReader.Options()
///     options.slots = slots  // the same object for all readers
///
/// A turn is one packet, with all that becomes of it. Streams whose next picture somebody waits for go first: those that
/// have had none yet, and those that are wound to another moment. Otherwise turns are taken in the order in which they were
/// asked for, so that no stream decodes several pictures in a row, of which only the last would be seen, while others
/// wait. Waiting for a file or a network occupies no slot. The decoder's own threads, which it has by default above
/// 1280 × 720, do not occupy slots either.
///
/// **Thread:** any. **Cost:** two short locks for each turn, three if it waits.
public final class DecodingSlots: Sendable {
    private struct State {
        var free: Int
        /// Those that wait for a slot, the first one first.
        var waiting: [DispatchSemaphore] = []
        /// Those that go before them.
        var urgent: [DispatchSemaphore] = []
        /// What nobody waits for at present: kept, so that waiting allocates nothing.
        var idle: [DispatchSemaphore] = []
    }

    /// The number of decoders that may work at once.
    public let count: Int
    private let state: Monitor<State>

    /// Makes slots.
    ///
    /// - Parameter count: the number of decoders that may work at once, at least 1; `nil` for one per core.
    public init(count: Int? = nil) {
        let count = count ?? Int(av_cpu_count())
        require(count >= 1, "DecodingSlots.count must be at least 1: without a slot, nothing is decoded.")
        self.count = count
        state = Monitor(State(free: count))
    }

    /// The number of decoders that wait for a slot.
    var waitingCount: Int { state.withLock { $0.waiting.count + $0.urgent.count } }

    /// Waits for a slot, and keeps it while `work` runs.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it goes before those that are not urgent.
    ///   - work: must not wait for a slot itself.
    /// - Returns: what `work` returns.
    /// - Throws: what `work` throws.
    func hold<Result, Failure: Error>(
        isUrgent: Bool = false, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        take(isUrgent)
        defer { release() }
        return try work()
    }

    private func take(_ isUrgent: Bool) {
        let turn: DispatchSemaphore? = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let turn = state.idle.popLast() ?? DispatchSemaphore(value: 0)
            if isUrgent { state.urgent.append(turn) } else { state.waiting.append(turn) }
            return turn
        }
        guard let turn else { return }
        turn.wait()
        state.withLock { $0.idle.append(turn) }
    }

    /// Passes the slot on to the first who waits.
    private func release() {
        let next: DispatchSemaphore? = state.withLock { state in
            guard state.urgent.isEmpty else { return state.urgent.removeFirst() }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.signal()
    }
}

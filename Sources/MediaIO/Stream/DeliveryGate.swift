import Glibc
import Synchronization

/// The result of a call through a gate.
enum GatePassage: Equatable {
    case passed(opening: Int)
    case closed
    case ended
    case nested
    case changed(number: Int)
}

/// A gate between a source and the receiver of its calls: calls pass one at a time, and only while it is open.
///
/// It keeps the promise of ``VideoSource/stop()``: after ``close()`` and ``awaitCaller()``, no call is running and none
/// will come.
///
/// **Thread:** any. **Cost:** every frame; one short lock, no allocation.
final class DeliveryGate<Target: Sendable>: Sendable {
    private enum Position { case closed, open, ended }
    private struct State {
        var position = Position.closed
        /// The number of times it was opened.
        var openings = 0
        var calls = 0
        var target: Target
        /// The number of times the target was changed.
        var changes = 0
    }

    private let state: Monitor<State>
    /// The thread whose call is running, or 0: set under the lock, reset without it.
    private let caller = Atomic<pthread_t>(0)
    /// The number of threads that wait for that call to return.
    private let waiting = Atomic(0)

    /// Makes a gate that is closed.
    ///
    /// - Parameter target: the receiver of the calls.
    init(_ target: Target) { state = Monitor(State(target: target)) }

    /// The receiver of the calls.
    var target: Target { state.withLock { $0.target } }

    /// Changes the receiver of the calls, from the next one on.
    ///
    /// - Returns: the previous one, so that it is released outside the lock.
    @discardableResult
    func setTarget(_ change: (inout Target) -> Void) -> Target {
        state.change { state in
            defer {
                change(&state.target)
                state.changes += 1
            }
            return state.target
        }
    }

    /// Waits while the gate is open and the receiver does not change.
    ///
    /// - Parameters:
    ///   - change: the number of a change; a later one ends the wait.
    ///   - time: the end of the wait; `nil` for none.
    /// - Returns: the number of the last change, or `nil` when the gate is not open.
    func awaitChange(after change: Int, until time: MonotonicTime?) -> Int? {
        let check = { (state: inout State) -> Int?? in
            guard state.position == .open else { return .some(nil) }
            if state.changes > change { return state.changes }
            return nil
        }
        guard let time else { return state.wait(check) ?? nil }
        return state.wait(until: time, check) ?? change
    }

    /// Whether calls may pass.
    var isOpen: Bool { state.withLock { $0.position == .open } }

    /// Whether it will never open again.
    var hasEnded: Bool { state.withLock { $0.position == .ended } }

    /// The number of times it was opened.
    var openings: Int { state.withLock { $0.openings } }

    /// Opens the gate, unless it has ended.
    func open() { move(to: .open) }

    /// Closes the gate; a running call continues.
    func close() { move(to: .closed) }

    /// Closes the gate permanently.
    func end() { move(to: .ended) }

    private func move(to position: Position) {
        state.change { state in
            guard state.position != .ended else { return }
            state.position = position
            if position == .open { state.openings += 1 }
        }
    }

    /// Waits until it is open.
    ///
    /// - Parameter opening: waits for a later opening than this one, since it may be closed and reopened unnoticed.
    /// - Returns: the number of the opening, from 1, or `nil` if the gate has ended.
    func awaitOpen(after opening: Int = 0) -> Int? {
        state.wait { state -> Int?? in
            switch state.position {
            case .ended: .some(nil)
            case .open where state.openings > opening: state.openings
            case .open, .closed: nil
            }
        } ?? nil
    }

    /// Waits for a duration, or until the gate is opened or ended.
    ///
    /// - Parameters:
    ///   - duration: the longest wait.
    ///   - opening: an opening after this one ends the wait, even if it was before the wait began.
    func wait(for duration: Duration, orOpeningAfter opening: Int) {
        _ = state.wait(until: .now + duration) { state -> Void? in
            state.position == .ended || state.openings > opening ? () : nil
        }
    }

    // MARK: Calls

    /// Whether the current thread is inside a call that has passed.
    var isCallerCurrent: Bool { caller.load(ordering: .relaxed) == pthread_self() }

    /// Waits until the running call has returned; returns immediately from within that call.
    func awaitCaller() {
        if isCallerCurrent { return }
        waiting.add(1, ordering: .sequentiallyConsistent)
        defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
        // It does not wait for later calls: with a source that never pauses, the wait would never end.
        let count = state.withLock { $0.calls }
        _ = state.wait { isFree || $0.calls != count ? () : nil }
    }

    /// Makes a call, after the running one.
    ///
    /// - Parameters:
    ///   - time: when to make the call; `nil` for immediately.
    ///   - change: the number of a change; after a later one the call is not made. `nil` ignores changes.
    ///   - call: not made if the gate is closed before `time`, or if this is called from within another call.
    /// - Returns: whether the call was made, or why not.
    func pass(
        at time: MonotonicTime? = nil, unlessChangedAfter change: Int? = nil, _ call: (Target) -> Void
    ) -> GatePassage {
        if isCallerCurrent { return .nested }
        guard let entry = enter(at: time, change) ?? enterAfterOthers(change) else { return .closed }
        guard let target = entry.target else { return entry.passage }
        call(target)
        caller.store(0, ordering: .sequentiallyConsistent)
        // A thread that begins to wait after this sees that the call has returned.
        if waiting.load(ordering: .sequentiallyConsistent) > 0 { state.change { _ in } }
        return entry.passage
    }

    private typealias Entry = (passage: GatePassage, target: Target?)

    /// Waits for the time and begins a call; `nil` if another one is running then.
    private func enter(at time: MonotonicTime?, _ change: Int?) -> Entry? {
        guard let time else { return state.withLock { begin(&$0, change) } }
        return state.wait(until: time) { state in
            let mayWait = state.position == .open && state.changes == change ?? state.changes
            return mayWait && MonotonicTime.now < time ? nil : begin(&state, change)
        }
    }

    /// Begins a call after the running one.
    private func enterAfterOthers(_ change: Int?) -> Entry? {
        waiting.add(1, ordering: .sequentiallyConsistent)
        defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
        return state.wait { begin(&$0, change) }
    }

    /// Checks the position and begins the call in one step under the lock, so that `awaitCaller()` cannot return in
    /// between.
    private func begin(_ state: inout State, _ change: Int?) -> Entry? {
        guard state.position == .open else { return (state.position == .ended ? .ended : .closed, nil) }
        if let change, state.changes != change { return (.changed(number: state.changes), nil) }
        guard isFree else { return nil }
        caller.store(pthread_self(), ordering: .sequentiallyConsistent)
        state.calls += 1
        return (.passed(opening: state.openings), state.target)
    }

    private var isFree: Bool { caller.load(ordering: .sequentiallyConsistent) == 0 }
}

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

/// The consumer of a source, and its wants.
struct SourceTarget: Sendable {
    /// Retained from `initialize` to `dispose`.
    var consumer: (any VideoFrameConsumer)?
    /// What the consumer wants.
    var wants = VideoSinkWants.everything
    /// Which moment is shown, by sources that play what is stored; `nil` for the present.
    var playhead: Playhead?
}

/// A gate between a source and its consumer: calls pass one at a time, and only while both of its doors are open.
///
/// It keeps the promise of ``VideoSource/stop()``: after ``close(_:)`` and ``awaitCaller()``, no call is running and none
/// will come. If the consumer is the ``SinkRelay`` of a stream, the stream has the second door. So the source and the
/// stream each end the calls on their own, and a frame still takes only one lock on its way to the sinks.
///
/// **Thread:** any. **Cost:** every frame; one short lock, no allocation.
final class SourceGate: Sendable {
    private struct State {
        var doors = GateDoors()
        var calls = 0
        var target = SourceTarget()
        /// The number of times the target was changed.
        var changes = 0
        /// The sinks of the stream, which get the calls instead of the consumer; `nil` unless there is a stream.
        var sinks: SinkList?
    }

    private let state = Monitor(State())
    /// Whether both doors are open: changed under the lock.
    private let isPassable = Atomic(false)
    /// Whether one of them will never open again: changed under the lock.
    private let isOver = Atomic(false)
    /// The thread whose call is running, or 0: set under the lock, reset without it.
    private let caller = Atomic<pthread_t>(0)
    /// The number of threads that wait for that call to return.
    private let waiting = Atomic(0)

    /// The receiver of the calls.
    var target: SourceTarget { state.withLock { $0.target } }

    /// Changes the receiver of the calls, from the next one on.
    ///
    /// - Returns: the previous one, so that it is released outside the lock.
    @discardableResult
    func setTarget(_ change: (inout SourceTarget) -> Void) -> SourceTarget {
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
            guard state.doors.position == .open else { return .some(nil) }
            if state.changes > change { return state.changes }
            return nil
        }
        guard let time else { return state.wait(check) ?? nil }
        return state.wait(until: time, check) ?? change
    }

    /// Replaces the sinks of the stream, from the next call on.
    ///
    /// - Returns: the previous ones, so that they are released outside the lock.
    @discardableResult
    func setSinks(_ sinks: SinkList?) -> SinkList? {
        state.withLock { state in
            defer { state.sinks = sinks }
            return state.sinks
        }
    }

    /// Whether calls may pass.
    ///
    /// **Cost:** every frame; no lock.
    var isOpen: Bool { isPassable.load(ordering: .sequentiallyConsistent) }

    /// Whether the stream's door is open.
    var isStreamOpen: Bool { state.withLock { $0.doors.stream == .open } }

    /// Whether it will never open again.
    ///
    /// **Cost:** every packet; no lock.
    var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

    /// The number of times the source's door was opened.
    var openings: Int { state.withLock { $0.doors.openings } }

    /// Opens a door, unless it has ended.
    func open(_ door: GateDoors.Door = .source) { move(door, to: .open) }

    /// Closes a door; a running call continues.
    func close(_ door: GateDoors.Door = .source) { move(door, to: .closed) }

    /// Closes a door permanently.
    func end(_ door: GateDoors.Door = .source) { move(door, to: .ended) }

    private func move(_ door: GateDoors.Door, to position: GateDoors.Position) {
        state.change { state in
            state.doors.move(door, to: position)
            isPassable.store(state.doors.position == .open, ordering: .sequentiallyConsistent)
            isOver.store(state.doors.position == .ended, ordering: .sequentiallyConsistent)
        }
    }

    /// Waits until it is open.
    ///
    /// - Parameter opening: waits for a later opening by the source than this one, since it may be closed and reopened
    ///   unnoticed.
    /// - Returns: the number of the opening, from 1, or `nil` if the gate has ended.
    func awaitOpen(after opening: Int = 0) -> Int? {
        state.wait { state -> Int?? in
            switch state.doors.position {
            case .ended: .some(nil)
            case .open where state.doors.openings > opening: state.doors.openings
            case .open, .closed: nil
            }
        } ?? nil
    }

    /// Waits for a duration, or until the source opens the gate or it ends.
    ///
    /// - Parameters:
    ///   - duration: the longest wait.
    ///   - opening: an opening after this one ends the wait, even if it was before the wait began.
    func wait(for duration: Duration, orOpeningAfter opening: Int) {
        _ = state.wait(until: .now + duration) { state -> Void? in
            state.doors.position == .ended || state.doors.openings > opening ? () : nil
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
    ///   - door: for a call of the source, both doors must be open; for one of the stream, only its own.
    ///   - time: when to make the call; `nil` for immediately.
    ///   - change: the number of a change; after a later one the call is not made. `nil` ignores changes.
    ///   - call: not made if the gate is closed before `time`, or if this is called from within another call.
    /// - Returns: whether the call was made, or why not.
    func pass(
        by door: GateDoors.Door = .source, at time: MonotonicTime? = nil, unlessChangedAfter change: Int? = nil,
        _ call: (SourceTarget) -> Void
    ) -> GatePassage {
        if isCallerCurrent { return .nested }
        guard let entry = enter(by: door, at: time, change) ?? enterAfterOthers(by: door, change) else {
            return .closed
        }
        guard let target = entry.target else { return entry.passage }
        call(target)
        caller.store(0, ordering: .sequentiallyConsistent)
        // A thread that begins to wait after this sees that the call has returned.
        if waiting.load(ordering: .sequentiallyConsistent) > 0 { state.change { _ in } }
        return entry.passage
    }

    private typealias Entry = (passage: GatePassage, target: SourceTarget?)

    /// Waits for the time and begins a call; `nil` if another one is running then.
    private func enter(by door: GateDoors.Door, at time: MonotonicTime?, _ change: Int?) -> Entry? {
        guard let time else { return state.withLock { begin(&$0, by: door, change) } }
        return state.wait(until: time) { state in
            let mayWait = state.doors.position == .open && state.changes == change ?? state.changes
            return mayWait && MonotonicTime.now < time ? nil : begin(&state, by: door, change)
        }
    }

    /// Begins a call after the running one.
    private func enterAfterOthers(by door: GateDoors.Door, _ change: Int?) -> Entry? {
        waiting.add(1, ordering: .sequentiallyConsistent)
        defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
        return state.wait { begin(&$0, by: door, change) }
    }

    /// Checks the position and begins the call in one step under the lock, so that `awaitCaller()` cannot return in
    /// between.
    private func begin(_ state: inout State, by door: GateDoors.Door, _ change: Int?) -> Entry? {
        let position = door == .stream ? state.doors.stream : state.doors.position
        guard position == .open else { return (position == .ended ? .ended : .closed, nil) }
        if let change, state.changes != change { return (.changed(number: state.changes), nil) }
        guard isFree else { return nil }
        caller.store(pthread_self(), ordering: .sequentiallyConsistent)
        state.calls += 1
        var target = state.target
        if let sinks = state.sinks { target.consumer = sinks }
        return (.passed(opening: state.doors.openings), target)
    }

    private var isFree: Bool { caller.load(ordering: .sequentiallyConsistent) == 0 }
}

import Glibc

/// The gate between a source and its consumer: calls pass one at a time, and only while it is open.
///
/// It keeps the promise of ``VideoSource/stop()``: after ``close()`` and ``awaitCaller()``, no call is running and none
/// will come.
///
/// **Thread:** any. **Cost:** every frame; two short locks, no allocation.
final class DeliveryGate: Sendable {
    private enum Position { case closed, open, ended }
    private struct State {
        var position = Position.closed
        /// How often it was opened.
        var openings = 0
        /// The thread of the running call.
        var caller: pthread_t?
        var calls = 0
    }

    private let state = Monitor(State())

    /// Whether calls may pass.
    var isOpen: Bool { state.withLock { $0.position == .open } }

    /// Whether it will never open again.
    var hasEnded: Bool { state.withLock { $0.position == .ended } }

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

    /// Whether this is called from within a passing call.
    var isCallerCurrent: Bool {
        let current = pthread_self()
        return state.withLock { $0.caller.map { pthread_equal($0, current) != 0 } ?? false }
    }

    /// Waits until the running call has returned, unless this is called from within it.
    func awaitCaller() {
        let current = pthread_self()
        // It does not wait for later calls: a source that delivers without a pause would block it for ever.
        let count = state.withLock { $0.calls }
        _ = state.wait { state -> Void? in
            guard let caller = state.caller, pthread_equal(caller, current) == 0 else { return () }
            return state.calls == count ? nil : ()
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

    /// How often it was opened.
    var openings: Int { state.withLock { $0.openings } }

    /// Waits for a duration, or until the gate is opened or has ended.
    ///
    /// - Parameters:
    ///   - duration: the longest wait.
    ///   - opening: an opening after this one ends the wait, even if it was before the wait began.
    func wait(for duration: Duration, orOpeningAfter opening: Int) {
        _ = state.wait(until: .now + duration) { state -> Void? in
            state.position == .ended || state.openings > opening ? () : nil
        }
    }

    /// The result of a call.
    enum Passage: Equatable {
        case passed(opening: Int)
        case closed
        case nested
    }

    /// Makes a call, after the running one.
    ///
    /// - Parameters:
    ///   - time: when to make the call; `nil` for immediately.
    ///   - call: not called if the gate is closed before `time`, or if this is called from within another call.
    /// - Returns: the result.
    func pass(at time: MonotonicTime? = nil, _ call: () -> Void) -> Passage {
        if let time {
            let isDue = state.wait(until: time) { state -> Bool? in
                guard state.position == .open else { return false }
                return MonotonicTime.now >= time ? true : nil
            }
            guard isDue == true else { return .closed }
        }
        // The position and the beginning of the call are one step under the lock: there is no moment between them in
        // which `awaitCaller()` could return.
        let current = pthread_self()
        let passage = state.wait { state -> Passage? in
            guard state.position == .open else { return .closed }
            if let caller = state.caller { return pthread_equal(caller, current) == 0 ? nil : .nested }
            state.caller = current
            state.calls += 1
            return .passed(opening: state.openings)
        }
        guard case .passed = passage else { return passage ?? .closed }
        call()
        state.change { $0.caller = nil }
        return passage ?? .closed
    }
}

internal import Glibc
import MediaIO

/// A scenario, which runs on a thread of its own: if it hangs, that is a violation, and the check goes on.
struct Scenario {
    let name: String
    let body: @Sendable (Trace) -> Void

    /// Runs it.
    ///
    /// - Parameters:
    ///   - seed: the seed, for the report.
    ///   - patience: how long a step may take.
    /// - Throws: the first violation.
    func run(seed: UInt64, patience: Duration) throws(ConformanceViolation) {
        let trace = Trace(name, seed: seed)
        let isDone = Monitor(false)
        let body = body
        do {
            try SystemThread(for: name) {
                trace.nameThread("the kit")
                body(trace)
                isDone.change { $0 = true }
            }.detach()
        } catch {
            trace.violate(.doesNotReturn, error.description)
        }
        // The scenario watches each of its steps, but does not end if one of them hangs.
        for _ in 0..<20 where trace.violation == nil {
            if isDone.wait(until: .now + patience, { $0 ? true : nil }) != nil { break }
        }
        if !isDone.withLock({ $0 }) {
            trace.violate(.doesNotReturn, "The last step has not returned in \(patience * 20).")
        }
        if let violation = trace.violation { throw violation }
    }
}

/// Calls `body` on the current thread, and reports it as soon as it has taken too long.
func timed(_ step: String, _ trace: Trace, _ patience: Duration, _ body: () -> Void) {
    let isDone = Monitor(false)
    let watch = try? SystemThread(for: step) {
        if isDone.wait(until: .now + patience, { $0 ? true : nil }) == nil {
            trace.nameThread("the watch")
            trace.violate(.doesNotReturn, "\(step) has not returned in \(patience).")
        }
    }
    body()
    isDone.change { $0 = true }
    watch?.join()
}

/// Runs `body` in a function of its own, so that its objects are released when this returns.
@inline(never)
func scoped(_ body: () -> Void) { body() }

/// Waits for a condition.
///
/// - Returns: whether it became true in time.
func wait(_ patience: Duration, _ isTrue: () -> Bool) -> Bool {
    let end = MonotonicTime.now + patience
    while !isTrue() {
        if end < .now { return false }
        usleep(500)
    }
    return true
}

extension Duration {
    var microseconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
}

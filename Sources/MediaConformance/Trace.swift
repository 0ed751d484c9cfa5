internal import Glibc
import MediaIO

/// What was done to an object, and what it did, up to the first violation.
final class Trace: Sendable {
    private struct State {
        var events: [(text: String, count: Int)] = []
        var threads: [UInt: String] = [:]
        var violation: ConformanceViolation?
    }

    /// Only the last events are kept: they led to the violation.
    private static let eventCount = 60

    let scenario: String
    let seed: UInt64
    private let state = Monitor(State())

    init(_ scenario: String, seed: UInt64) { (self.scenario, self.seed) = (scenario, seed) }

    /// The first violation.
    var violation: ConformanceViolation? { state.withLock { $0.violation } }

    /// Gives the current thread a name.
    func nameThread(_ name: String) { state.withLock { $0.threads[UInt(pthread_self())] = name } }

    /// Notes an event of the current thread.
    func note(_ event: String) {
        state.withLock { state in
            guard state.violation == nil else { return }
            Self.append(event, &state)
        }
    }

    /// Notes a violation, if it is the first one.
    func violate(_ rule: ConformanceViolation.Rule, _ detail: String) {
        state.change { state in
            guard state.violation == nil else { return }
            Self.append("✘ \(rule.rawValue)", &state)
            state.violation = ConformanceViolation(
                rule: rule, detail: detail, scenario: scenario, seed: seed,
                trace: state.events.map { $0.count > 1 ? "\($0.text), \($0.count) times" : $0.text })
        }
    }

    private static func append(_ event: String, _ state: inout State) {
        let name = state.threads[UInt(pthread_self())] ?? "its thread"
        let text = "\(name): \(event)"
        // There may be thousands of frames.
        if let last = state.events.last, last.text == text {
            state.events[state.events.count - 1].count += 1
        } else {
            state.events.append((text, 1))
        }
        if state.events.count > eventCount { state.events.removeFirst() }
    }
}

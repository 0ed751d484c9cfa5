import Logging
import MediaIO

/// Logs the changes of a stream's condition, one line each; a retry that fails for the same reason is not logged again.
final class ConditionLog: Sendable {
    private let name: String
    private let logger: Logger
    private let cancellation: ReadCancellation
    private let last = Monitor<SourceCondition?>(nil)

    /// Logs nothing yet.
    ///
    /// - Parameters:
    ///   - name: the input's name.
    ///   - logger: where the changes are logged.
    ///   - cancellation: ends the log.
    init(_ name: String, _ logger: Logger, _ cancellation: ReadCancellation) {
        self.name = name
        self.logger = logger
        self.cancellation = cancellation
    }

    /// The last condition, without the time of the next try; `nil` before the first.
    var condition: SourceCondition? { last.withLock(\.self) }

    /// Whether the source has reported that it is waiting.
    var isWaiting: Bool { last.withLock { if case .waiting = $0 { true } else { false } } }

    /// Logs a condition, unless it is the last one.
    func note(_ condition: SourceCondition) {
        let condition = condition.withoutRetry
        let isNew = last.withLock { last in
            defer { last = condition }
            return last != condition
        }
        // The failure of a stream that is being closed is not logged.
        guard isNew, !cancellation.isCancelled else { return }
        switch condition {
        case .failed(let reason, _): logger.error("\(reason)")
        case .ended: logger.info("\(name) has ended.")
        case .waiting(let reason, _, _): logger.warning("\(name): \(reason)")
        case .live: logger.notice("\(name) is connected.")
        }
    }
}

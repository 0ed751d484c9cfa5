/// When what a sender has lost is tried again.
package struct SenderRetries {
    private var schedule: RetrySchedule
    /// When that is; `nil` for at once, and after a failure that is for good.
    package private(set) var next: MonotonicTime?

    /// Begins with a try at once.
    package init(_ schedule: RetrySchedule) { self.schedule = schedule }

    /// Whether it may be tried now.
    package var isDue: Bool { next.map { $0 <= .now } ?? true }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - error: why; ``StreamError/Code/unsupported`` is for good.
    ///   - duration: how long it had worked.
    /// - Returns: how the sender is from now on.
    package mutating func lose(_ error: StreamError, after duration: Duration = .zero) -> SenderCondition {
        guard error.code != .unsupported else {
            next = nil
            return .failed(error.description)
        }
        next = .now + schedule.nextWait(after: duration)
        return .waiting(error.description)
    }
}

/// How long to wait before each new try to reach something that was lost: 1, 2, 4, 8, 16, 30, 30 … seconds.
public struct RetrySchedule: Hashable, Sendable {
    /// The waits, in order; the last one is repeated.
    public var waits: [Duration]
    /// What lasted this long was a success: after it the waits begin anew.
    public var successDuration: Duration

    private var failures = 0

    /// Creates a schedule that begins with the first wait.
    ///
    /// - Parameters:
    ///   - waits: at least one, each longer than zero.
    ///   - successDuration: what lasted this long was a success.
    public init(
        waits: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }, successDuration: Duration = .seconds(10)
    ) {
        precondition(
            !waits.isEmpty && waits.allSatisfy { $0 > .zero },
            "A RetrySchedule needs at least one wait, each longer than zero.")
        self.waits = waits
        self.successDuration = successDuration
    }

    /// The wait before the next try.
    ///
    /// - Parameter duration: how long the last try had what it wanted; zero when it failed.
    /// - Returns: one of ``waits``.
    public mutating func nextWait(after duration: Duration) -> Duration {
        if duration >= successDuration { failures = 0 }
        defer { failures += 1 }
        return waits[min(failures, waits.count - 1)]
    }
}

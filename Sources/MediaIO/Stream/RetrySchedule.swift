import VitrailSupport

/// The waits before each retry after a lost connection: 1, 2, 4, 8, 10, 10 … seconds.
public struct RetrySchedule: Hashable, Sendable {
    /// The waits, in order, at least one, each longer than zero; the last one is repeated.
    public var waits: [Duration] {
        didSet { Self.check(waits) }
    }
    /// A connection that lasted this long counts as a success, after which the waits start over.
    public var successDuration: Duration

    private var failures = 0

    /// Creates a schedule that begins with the first wait.
    ///
    /// - Parameters:
    ///   - waits: the waits; at least one, each longer than zero.
    ///   - successDuration: how long a connection must last to count as a success.
    public init(
        waits: [Duration] = [1, 2, 4, 8, 10].map { .seconds($0) }, successDuration: Duration = .seconds(10)
    ) {
        Self.check(waits)
        self.waits = waits
        self.successDuration = successDuration
    }

    private static func check(_ waits: [Duration]) {
        require(
            !waits.isEmpty && waits.allSatisfy { $0 > .zero },
            "A RetrySchedule needs at least one wait, each longer than zero.")
    }

    /// Returns the wait before the next try.
    ///
    /// - Parameter duration: how long the last connection lasted; zero if it failed.
    /// - Returns: one of ``waits``.
    public mutating func nextWait(after duration: Duration) -> Duration {
        if duration >= successDuration { failures = 0 }
        defer { failures += 1 }
        return waits[min(failures, waits.count - 1)]
    }
}

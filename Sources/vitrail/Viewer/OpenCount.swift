import Synchronization

/// The number of streams that are being closed.
///
/// **Thread:** any.
final class OpenCount: Sendable {
    private let value = Atomic(0)

    /// The present number.
    var count: Int { value.load(ordering: .acquiring) }

    /// Adds one.
    func increase() { value.add(1, ordering: .relaxed) }

    /// Subtracts one.
    func decrease() { value.subtract(1, ordering: .releasing) }
}

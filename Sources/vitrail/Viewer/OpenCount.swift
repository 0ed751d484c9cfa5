import Synchronization

/// The number of streams that are not closed yet.
///
/// **Thread:** any.
final class OpenCount: Sendable {
    private let value: Atomic<Int>

    /// Starts at `count`.
    init(_ count: Int) { value = Atomic(count) }

    /// The present number.
    var count: Int { value.load(ordering: .acquiring) }

    /// Subtracts one.
    func decrease() { value.subtract(1, ordering: .releasing) }
}

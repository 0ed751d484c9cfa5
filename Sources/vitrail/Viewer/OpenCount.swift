import Synchronization

/// How many streams are not closed yet.
///
/// **Thread:** any.
final class OpenCount: Sendable {
    private let value: Atomic<Int>

    /// Starts with so many.
    init(_ count: Int) { value = Atomic(count) }

    /// The present number.
    var count: Int { value.load(ordering: .acquiring) }

    /// One less.
    func decrease() { value.subtract(1, ordering: .releasing) }
}

import MediaIO

/// Runs a check on a thread of its own, since it waits most of the time and must not hold up other tests.
///
/// - Parameter check: the check.
/// - Returns: what it has thrown, or `nil`.
/// - Throws: `StreamError` if there can be no more threads.
public func failure<E: Error>(onOwnThread check: @escaping @Sendable () throws(E) -> Void) async throws -> E? {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try SystemThread(for: "the test") {
                do throws(E) {
                    try check()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }.detach()
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

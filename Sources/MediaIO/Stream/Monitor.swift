import Glibc

/// A value protected by a lock that the thread sanitizer recognizes.
///
/// The sanitizer does not recognize the `Mutex` of `Synchronization` on Linux, and reports everything that it protects
/// as a race. This one is a pthread mutex, and the only lock of the package; use it in sources and sinks of your own.
///
///     let count = Monitor(0)
///     count.withLock { $0 += 1 }
///
/// **Thread:** any. **Cost:** two allocations when it is made; locking allocates nothing.
public final class Monitor<Value>: @unchecked Sendable {
    // Unchecked: `value` is only accessed while the mutex is held.
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Protects a value.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the value while the lock is held.
    ///
    /// - Parameter body: gets the value; it must not lock the same monitor again, which would deadlock.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; the lock is released.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Changes the value and wakes all waiting threads, unlike ``withLock(_:)``.
    @discardableResult
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        withLock { value in
            // The woken threads need the lock, which is still held, so the order does not matter.
            defer { pthread_cond_broadcast(changed) }
            return body(&value)
        }
    }

    /// Waits until `body`, which may change the value, returns a result; `nil` if `deadline` passes before.
    package func wait<Result>(until deadline: MonotonicTime? = nil, _ body: (inout Value) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if let deadline {
                var time = deadline.timespec
                if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT { return body(&value) }
            } else {
                pthread_cond_wait(changed, mutex)
            }
        }
    }
}

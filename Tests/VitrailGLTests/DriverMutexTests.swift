import Glibc
import HeadlessGL
import MediaIO
import Testing

/// What a driver finds in the program instead of the C library's.
///
/// The thread sanitizer has definitions of its own.
@Suite(.timeLimit(.minutes(25)), .enabled(if: dlsym(nil, "__tsan_init") == nil))
struct DriverMutexTests {
    private final class Mutex: @unchecked Sendable {
        // Unchecked: its users lock it, which is what it is for.
        let handle = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        /// Whether a thread has done what it had to do with the lock.
        nonisolated(unsafe) var isDone = false

        init() { pthread_mutex_init(handle, nil) }

        deinit { handle.deallocate() }
    }

    @Test(
        "A mutex is destroyed only once another thread has left it",
        arguments: ["pthread_mutex_destroy", "mtx_destroy"])
    func kept(_ name: String) throws {
        typealias Destroy = @convention(c) (UnsafeMutablePointer<pthread_mutex_t>) -> Void
        let function = try #require(dlsym(nil, name))
        let mutex = Mutex()
        let isLocked = Monitor(false)
        let thread = try SystemThread(for: "a test") {
            pthread_mutex_lock(mutex.handle)
            isLocked.change { $0 = true }
            usleep(100_000)
            mutex.isDone = true
            pthread_mutex_unlock(mutex.handle)
        }
        _ = isLocked.wait { $0 ? true : nil }
        unsafeBitCast(function, to: Destroy.self)(mutex.handle)
        #expect(mutex.isDone)
        thread.join()
    }

    @Test("A mutex that the caller has locked itself is destroyed at once, and so is one that is not locked")
    func notKept() {
        let mutex = Mutex()
        #expect(pthread_mutex_destroy(mutex.handle) == 0)
        pthread_mutex_init(mutex.handle, nil)
        pthread_mutex_lock(mutex.handle)
        #expect(pthread_mutex_destroy(mutex.handle) == EBUSY)
    }

    @Test("Nobody waits for a thread that has ended without leaving a mutex")
    func abandoned() throws {
        let mutex = Mutex()
        try SystemThread(for: "a test") { pthread_mutex_lock(mutex.handle) }.join()
        let begin = ContinuousClock.now
        #expect(pthread_mutex_destroy(mutex.handle) == EBUSY)
        // Waiting would take ten seconds.
        #expect(begin.duration(to: .now) < .seconds(5))
    }
}

import Glibc
import MediaIO

/// A moment of the calling thread.
struct ThreadTime {
    private let time = MonotonicTime.now
    private let work = Self.workTime

    /// For how long the thread has waited since then, rather than worked.
    var timeWaited: Duration { max(.zero, MonotonicTime.now - time - (Self.workTime - work)) }

    private static var workTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

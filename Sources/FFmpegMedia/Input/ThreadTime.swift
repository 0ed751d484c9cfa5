import Glibc
import MediaIO

/// A point in time on the calling thread, from which waiting is measured.
struct ThreadTime {
    private let time = MonotonicTime.now
    private let work = Self.workTime

    /// How long the thread has waited, rather than used the processor, since this value was made.
    var timeWaited: Duration { max(.zero, MonotonicTime.now - time - (Self.workTime - work)) }

    private static var workTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

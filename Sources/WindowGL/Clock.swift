internal import Glibc

/// The monotonic clock.
enum Clock {
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    static func sleep(until time: Duration) {
        let (seconds, attoseconds) = time.components
        var target = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &target, nil) == EINTR {}
    }
}

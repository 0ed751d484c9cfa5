internal import Glibc

/// A time on the monotonic clock, which stops while the machine is suspended.
package struct MonotonicTime: Comparable, Sendable {
    package var sinceBoot: Duration

    package init(sinceBoot: Duration) { self.sinceBoot = sinceBoot }

    package static var now: MonotonicTime {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(sinceBoot: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    /// Sleeps until this time.
    package func sleep() {
        var target = timespec
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &target, nil) == EINTR {}
    }

    var timespec: Glibc.timespec {
        // A negative time would make pthread_cond_timedwait return EINVAL without releasing the mutex: the waiting loop
        // would never end.
        let (seconds, attoseconds) = max(sinceBoot, .zero).components
        return Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.sinceBoot < right.sinceBoot }
    package static func + (time: MonotonicTime, span: Duration) -> MonotonicTime {
        MonotonicTime(sinceBoot: time.sinceBoot + span)
    }
    package static func - (time: MonotonicTime, span: Duration) -> MonotonicTime {
        MonotonicTime(sinceBoot: time.sinceBoot - span)
    }
    package static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        later.sinceBoot - earlier.sinceBoot
    }
}

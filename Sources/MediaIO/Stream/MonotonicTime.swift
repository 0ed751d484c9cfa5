internal import Glibc

/// A time on the monotonic clock, which stops while the machine is suspended.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    /// The time since the machine was started, without the time for which it was suspended.
    public var sinceBoot: Duration

    /// Creates a time.
    public init(sinceBoot: Duration) { self.sinceBoot = sinceBoot }

    /// The present time.
    public static var now: MonotonicTime {
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

    /// Whether a time is before another one.
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.sinceBoot < right.sinceBoot }
    /// A time and a span after it.
    public static func + (time: MonotonicTime, span: Duration) -> MonotonicTime {
        MonotonicTime(sinceBoot: time.sinceBoot + span)
    }
    /// A time and a span before it.
    public static func - (time: MonotonicTime, span: Duration) -> MonotonicTime {
        MonotonicTime(sinceBoot: time.sinceBoot - span)
    }
    /// The span between two times.
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        later.sinceBoot - earlier.sinceBoot
    }
}

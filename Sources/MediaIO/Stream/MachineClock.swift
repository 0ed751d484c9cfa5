internal import Glibc

/// The machine's clock.
package enum MachineClock {
    /// Reads the time since 1970-01-01 00:00 UTC, and the moment at which it was read.
    package static func read() -> (sinceEpoch: Duration, at: MonotonicTime) {
        var result = (sinceEpoch: Duration.zero, at: MonotonicTime.now)
        // If the thread is interrupted between the two, they do not belong together.
        for _ in 0..<4 {
            let before = MonotonicTime.now
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            result = (.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec), before)
            if .now - before < .microseconds(100) { break }
        }
        return result
    }
}

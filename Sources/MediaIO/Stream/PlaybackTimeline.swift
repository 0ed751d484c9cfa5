internal import Glibc

/// Which clock says what stored media show at a moment.
public enum PlaybackTimeline: Hashable, Sendable {
    /// Their own: the first frame is shown when they are started.
    case own
    /// That of the machine, for media without an end: at each moment, they show the frame whose time is the time since
    /// 1970-01-01 00:00 UTC.
    ///
    /// So machines whose clocks agree show the same frame at the same moment, whenever they were started. A reader that
    /// cannot skip, or has an end (``StreamInfo/duration``), plays on its own timeline.
    case machineClock
}

/// The machine's clock.
enum MachineClock {
    /// Reads the time since 1970-01-01 00:00 UTC, and the moment at which it was read.
    static func read() -> (sinceEpoch: Duration, at: MonotonicTime) {
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

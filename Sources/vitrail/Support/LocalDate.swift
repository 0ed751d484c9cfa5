import Glibc

/// The local date.
enum LocalDate {
    /// The date and time in Shadertoy's form: year, month from 0, day, seconds since midnight.
    static var now: SIMD4<Float> {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        localtime_r(&time.tv_sec, &parts)
        let seconds = parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec
        return SIMD4(
            Float(parts.tm_year + 1900), Float(parts.tm_mon), Float(parts.tm_mday),
            Float(Double(seconds) + Double(time.tv_nsec) / 1e9))
    }

    /// The time that local clocks have counted since 1970 began.
    static var sinceEpoch: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var parts = tm()
        localtime_r(&time.tv_sec, &parts)
        return .seconds(time.tv_sec + parts.tm_gmtoff) + .nanoseconds(time.tv_nsec)
    }

    /// The date and time in ISO 8601 form: `2026-01-31T09:05:00+01:00`.
    static var text: String {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        let date = text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return date.dropLast(2) + ":" + date.suffix(2)
    }
}

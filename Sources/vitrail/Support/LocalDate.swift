import Glibc

/// The local date as Shadertoy has it.
enum LocalDate {
    /// Year, month from 0, day, seconds of the day.
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
}

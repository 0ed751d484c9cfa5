import Glibc

/// What this process has used of the processors, all threads together.
enum ProcessorTime {
    /// Seconds in the program and in the kernel for it.
    static var now: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Seconds that `body` uses.
    static func of<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now
        try body()
        return now - start
    }
}

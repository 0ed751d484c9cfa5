import Glibc

/// The processor time of this process, for all threads.
enum ProcessorTime {
    /// The seconds used in the program and in the kernel.
    static var now: Double { seconds(RUSAGE_SELF.rawValue) }

    /// The seconds that child processes have used which have ended.
    static var ofChildren: Double { seconds(RUSAGE_CHILDREN.rawValue) }

    private static func seconds(_ who: Int32) -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(who), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The seconds that `body` uses.
    static func of<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = now
        try body()
        return now - start
    }
}

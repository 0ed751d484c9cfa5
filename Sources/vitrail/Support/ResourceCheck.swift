import Glibc
import MediaIO

/// Finds out whether the system gives the program what it needs.
///
/// The libraries that draw and render text end the program if they cannot get memory or a thread. So the program tries
/// to get both before it calls them.
enum ResourceCheck {
    /// The address space that a wall needs besides its streams, mostly for libraries.
    private static let memory = 768 << 20
    /// The number of threads that libraries start, besides two for each processor.
    private static let threads = 12

    /// Tries to get memory and threads, and gives them back.
    ///
    /// Memory is tried only where it is limited (`ulimit -v`).
    ///
    /// **Cost:** rare; a millisecond.
    /// - Throws: ``ProgramError/Status/failed``.
    static func run() throws(ProgramError) {
        try checkMemory()
        try checkThreads(threads + 2 * Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    private static func checkMemory() throws(ProgramError) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        guard limit.rlim_cur != .max else { return }
        let reserved = mmap(nil, memory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard reserved != MAP_FAILED else {
            throw ProgramError(
                .failed,
                "The program may use only \(limit.rlim_cur >> 20) MiB of memory, and needs \(memory >> 20) MiB more than it has now: raise the limit (ulimit -v)."
            )
        }
        munmap(reserved, memory)
    }

    private static func checkThreads(_ count: Int) throws(ProgramError) {
        let isOver = Monitor(false)
        var threads: [SystemThread] = []
        defer {
            isOver.change { $0 = true }
            for thread in threads { thread.join() }
        }
        for number in 0..<count {
            do throws(StreamError) {
                threads.append(try SystemThread(for: "the wall") { isOver.wait { $0 ? () : nil } })
            } catch {
                throw ProgramError(
                    .failed,
                    "Only \(number) threads can be started, and a wall needs \(count): close other programs, or raise the limits (ulimit -u, ulimit -v)."
                )
            }
        }
    }
}

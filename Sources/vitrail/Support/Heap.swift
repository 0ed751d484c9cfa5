import Glibc

/// How the C library gives memory back, so that a wall that is shown for months does not grow.
enum Heap {
    /// Makes threads share heaps, and large blocks go back to the system when they are freed.
    ///
    /// By default, each of the first threads, up to eight for a processor, gets a heap of its own; and once a large block
    /// has been freed, blocks of its size come from these heaps, where they leave gaps that nothing fits into. A wall of
    /// sixteen streams that are lost and found again, and whose window and tiles change their sizes, then grew by 70 MiB
    /// in an hour, while what was in use stayed the same.
    ///
    /// To be called before other threads exist.
    /// **Cost:** microseconds.
    static func prepare() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        // A further heap reserves 64 MiB of addresses, which matter where they are limited (`ulimit -v`).
        set(arenaMaximum, limit.rlim_cur == .max ? 2 : 1)
        set(directThreshold, 128 << 10)
    }

    // M_ARENA_MAX and M_MMAP_THRESHOLD: Swift's module of the C library lacks malloc.h.
    private static let arenaMaximum: Int32 = -8
    private static let directThreshold: Int32 = -3

    private static func set(_ option: Int32, _ value: Int32) {
        typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        guard let function = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(function, to: SetOption.self)(option, value)
    }
}

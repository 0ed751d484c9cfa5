import CHeapCounter

/// Counts the allocations that the calling thread makes in Swift code and in Swift's runtime: objects, boxes, arrays,
/// memory taken by hand.
///
/// It does not count what C libraries allocate, an OpenGL driver for one.
public enum HeapCounter {
    /// Whether it can count: not under a sanitizer, which brings an allocator of its own.
    public static var isAvailable: Bool { heap_counter_is_available() }

    /// Runs `body` and returns how many allocations the calling thread made in it.
    public static func count(_ body: () throws -> Void) rethrows -> Int {
        begin()
        do {
            try body()
        } catch {
            _ = end()
            throw error
        }
        return end()
    }

    /// Begins to count what the calling thread allocates.
    public static func begin() { heap_counter_begin() }

    /// Ends the count of the calling thread and returns it.
    public static func end() -> Int { heap_counter_end() }

    /// How often the calling thread has locked a mutex so far, apart from Swift's runtime and C libraries.
    public static var locks: Int { lock_counter_count() }
}

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
        heap_counter_begin()
        do {
            try body()
        } catch {
            _ = heap_counter_end()
            throw error
        }
        return heap_counter_end()
    }
}

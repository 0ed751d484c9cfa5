import CHeapCounter

/// Counts the Swift objects that the calling thread puts on the heap: class instances, boxes, arrays, closures' contexts.
///
/// It does not count what C libraries allocate, an OpenGL driver for one.
public enum HeapCounter {
    /// Runs `body` and returns how many objects the calling thread made in it.
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

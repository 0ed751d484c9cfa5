import CVitrailFFmpeg
import Dispatch
import VitrailSupport

/// Limits how many decoders work at once: the readers that share the slots take turns.
///
/// With more streams than the processor can decode, every decoder would always be ready to run, and together they would
/// starve the thread that draws.
///
///     var options = MediaReader.Options()
///     options.slots = slots  // the same object for all readers
///
/// A turn is one call of the decoder. Waiting for a file or a network occupies no slot. The decoder's own threads,
/// which it has by default above 1280 × 720, do not occupy slots either.
///
/// **Thread:** any. **Cost:** two atomic operations for each turn while there are free slots.
public final class DecodingSlots: Sendable {
    /// The number of decoders that may work at once.
    public let count: Int
    private let free: DispatchSemaphore

    /// Makes slots.
    ///
    /// - Parameter count: the number of decoders that may work at once, at least 1; `nil` for one per core.
    public init(count: Int? = nil) {
        let count = count ?? Int(av_cpu_count())
        require(count >= 1, "DecodingSlots.count must be at least 1: without a slot, nothing is decoded.")
        self.count = count
        free = DispatchSemaphore(value: 0)
        // libdispatch traps if a semaphore is released with a lower value than it was made with.
        for _ in 0..<count { free.signal() }
    }

    /// Waits for a slot, and keeps it while `work` runs.
    func hold<Result>(_ work: () -> Result) -> Result {
        free.wait()
        defer { free.signal() }
        return work()
    }
}

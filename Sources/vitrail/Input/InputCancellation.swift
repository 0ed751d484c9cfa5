import FFmpegMedia
import MediaIO
import Synchronization
import VideoSources

/// Ends the waiting of an input from another thread, whatever kind of input it is.
///
/// **Thread:** any.
final class InputCancellation: Sendable {
    /// For media.
    let media = MediaCancellation()
    private let read = Mutex<ReadCancellation?>(nil)

    /// Makes one for a pipe: only inputs that can be pipes need the descriptors that it takes.
    ///
    /// - Returns: what ends the waiting; it has ended already after ``cancel()``.
    /// - Throws: ``StreamError`` when too many files are open.
    func forReading() throws(StreamError) -> ReadCancellation {
        let made = try ReadCancellation()
        read.withLock { $0 = made }
        if media.isCancelled { made.cancel() }
        return made
    }

    /// Makes every read that waits end at once, for good.
    func cancel() {
        media.cancel()
        read.withLock { $0 }?.cancel()
    }
}

internal import CVitrailDispatch
// The import links libdispatch.
internal import Dispatch
internal import Glibc

/// The main queue, which also runs the main actor's tasks, for a loop that occupies the main thread.
struct MainQueue {
    /// Readable while the queue has work; -1 if the queue cannot be served, as on any thread but the main one.
    let descriptor = vitrail_main_queue_descriptor()

    /// Runs the waiting work.
    ///
    /// - Returns: whether there was any.
    func serve() -> Bool {
        var count: UInt64 = 0
        guard descriptor >= 0, read(descriptor, &count, 8) == 8 else { return false }
        vitrail_run_main_queue()
        return true
    }
}

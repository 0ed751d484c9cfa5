internal import CVitrailDispatch
// So that libdispatch is linked.
internal import Dispatch
internal import Glibc

/// The queue of the main thread, where tasks of the main actor wait as well, for a loop that holds that thread.
struct MainQueue {
    /// Readable while there is something to do; -1 where the queue cannot be served, as on another thread than the main one.
    let descriptor = vitrail_main_queue_descriptor()

    /// Runs what has come.
    ///
    /// - Returns: whether there was anything.
    func serve() -> Bool {
        var count: UInt64 = 0
        guard descriptor >= 0, read(descriptor, &count, 8) == 8 else { return false }
        vitrail_run_main_queue()
        return true
    }
}

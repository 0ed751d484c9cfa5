internal import CVitrailEGL

/// Lets a program survive a driver that crashes while it compiles or draws an effect.
///
/// It is for programs, not for libraries: signal handlers belong to the whole process.
public enum DriverGuard {
    /// Handles SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT: on a thread that draws effects at their own pace, the thread
    /// stops for ever, the effect is refused, and the wall goes on; on any other one, what was there before handles it.
    ///
    /// **Cost:** once, before windows are opened.
    public static func install() { vitrail_install_guard() }

    /// Runs the work of a thread, which may begin and end guards.
    package static func run(_ work: () -> Void) {
        vitrail_unblock_crash_signals()
        let stack = vitrail_make_signal_stack()
        work()
        vitrail_free_signal_stack(stack)
    }

    /// From now on, a crash of the calling thread writes the signal's number there, and stops the thread.
    package static func begin(_ crash: UnsafeMutablePointer<Int32>) { vitrail_guard(crash) }

    /// From now on, a crash of the calling thread ends the program.
    package static func end() { vitrail_guard(nil) }
}

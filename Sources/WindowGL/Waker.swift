internal import Glibc
internal import MediaIO

/// Ends a window's ``Window/waitEvents(timeout:)`` from any thread.
///
/// It replaces GLFW's empty event, which leaks a proxy object with GLFW 3.3 on Wayland, once for every frame of a wall.
///
/// **Thread:** any. It may outlive the window. **Cost:** every frame; one system call. Several wakes before the window
/// checks count as one.
public final class Waker: Sendable {
    private let pipe: WakePipe

    /// Makes a waker that is not set.
    ///
    /// - Throws: ``WindowError/Code/tooManyFiles``.
    public init() throws(WindowError) {
        do {
            pipe = try WakePipe()
        } catch {
            throw WindowError(
                .tooManyFiles,
                "A window could not be made: no file descriptor is left. Close something, or raise ulimit -n.",
                underlying: error.underlying)
        }
    }

    /// A descriptor that is readable while the waker is set.
    var descriptor: Int32 { pipe.descriptor }

    /// Ends the current wait, or else the next one.
    public func wake() { pipe.wake() }

    /// Sleeps until it is woken, or the time is over: for loops without a window.
    ///
    /// - Parameter timeout: the longest wait; `nil` for no limit.
    public func wait(timeout: Duration? = nil) {
        let milliseconds = timeout.map { Int32(min(max($0 / .milliseconds(1), 0), 1e9).rounded(.up)) } ?? -1
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        _ = poll(&descriptors, 1, milliseconds)
        _ = take()
    }

    /// Whether it was set since the last call; resets it.
    func take() -> Bool { pipe.clear() }
}

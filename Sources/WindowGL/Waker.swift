internal import Glibc

/// Ends a window's ``Window/waitEvents(timeout:)`` from any thread.
///
/// Not GLFW's empty event: with GLFW 3.3 on Wayland each one leaks a proxy object, and a wall is woken for every frame.
///
/// **Thread:** any. It may be used for as long as one likes, also when the window is gone. **Cost:** every frame; one
/// system call, and waking twice before the window looks is waking once.
public final class Waker: Sendable {
    /// Readable while awake.
    let descriptor: Int32
    private let writeDescriptor: Int32

    /// Makes a waker that wakes nobody yet.
    ///
    /// - Throws: ``WindowError/Code/tooManyFiles``.
    public init() throws(WindowError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw WindowError(
                .tooManyFiles,
                "A window could not be made: no file descriptor is left. Close something, or raise ulimit -n.",
                underlying: errno)
        }
        (descriptor, writeDescriptor) = (ends[0], ends[1])
        for end in ends {
            // Neither can fail for a descriptor that is open.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(descriptor)
        close(writeDescriptor)
    }

    /// Ends the wait that is going on, or else the next one.
    public func wake() {
        var byte: UInt8 = 0
        // Fails only when the pipe is full, and then the waker is awake already.
        _ = write(writeDescriptor, &byte, 1)
    }

    /// Whether it was woken since the last time.
    func take() -> Bool {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var wasWoken = false
        while read(descriptor, &bytes, 32) > 0 { wasWoken = true }
        return wasWoken
    }
}

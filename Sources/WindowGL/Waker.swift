internal import Glibc

/// Ends a window's ``Window/waitEvents(timeout:)`` from any thread.
///
/// It replaces GLFW's empty event, which leaks a proxy object with GLFW 3.3 on Wayland, once for every frame of a wall.
///
/// **Thread:** any. It may outlive the window. **Cost:** every frame; one system call. Several wakes before the window
/// checks count as one.
public final class Waker: Sendable {
    /// A descriptor that is readable while the waker is set.
    let descriptor: Int32
    private let writeDescriptor: Int32

    /// Makes a waker that is not set.
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

    /// Ends the current wait, or else the next one.
    public func wake() {
        var byte: UInt8 = 0
        // Fails only if the pipe is full, and then the waker is set already.
        _ = write(writeDescriptor, &byte, 1)
    }

    /// Whether it was set since the last call; resets it.
    func take() -> Bool {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var wasWoken = false
        while read(descriptor, &bytes, 32) > 0 { wasWoken = true }
        return wasWoken
    }
}

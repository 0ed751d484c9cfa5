internal import Glibc

/// Wakes a thread that waits in `poll`.
///
/// **Thread:** any.
package final class WakePipe: Sendable {
    /// For `poll`: readable after ``wake()``, until ``clear()``.
    package let descriptor: Int32
    private let end: Int32

    /// Makes a pipe.
    ///
    /// - Throws: ``StreamError/Code/cannotOpen`` if too many files are open.
    package init() throws(StreamError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            let number = errno
            throw StreamError(
                .cannotOpen, "Too many files are open: close some, or raise the limit (ulimit -n).", underlying: number)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, end) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(end)
    }

    /// Wakes the waiting thread, or ends its next wait immediately.
    package func wake() {
        // If the pipe is full, it is readable anyway.
        var byte: UInt8 = 1
        _ = write(end, &byte, 1)
    }

    /// Clears a wake-up.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func clear() -> Bool {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var wasWoken = false
        while read(descriptor, &bytes, 32) > 0 { wasWoken = true }
        return wasWoken
    }
}

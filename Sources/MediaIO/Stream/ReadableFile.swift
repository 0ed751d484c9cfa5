internal import Glibc
import VitrailSupport

/// A file, pipe or device that is open for reading, and its errors.
///
/// **Thread:** one at a time.
package struct ReadableFile: ~Copyable {
    /// The name in errors.
    package let name: String
    /// Open for reading until the value is released.
    package let descriptor: Int32
    /// The bytes of a regular file; `nil` for anything else.
    package let size: Int?
    /// Whether it can be read at any position: a regular file or a disk.
    package let isSeekable: Bool
    private let isOwned: Bool
    /// Whether a read may block.
    ///
    /// False for a descriptor that is not open: poll would block forever, but a read fails immediately.
    private let mayWait: Bool

    /// Opens a file; does not wait for the writer of a named pipe.
    ///
    /// - Parameters:
    ///   - path: the path, as for `open`.
    ///   - name: the name in errors; by default the path.
    /// - Throws: ``StreamError/Code/cannotOpen``, which names the file, the cause and the next step.
    package init(path: String, name: String? = nil) throws(StreamError) {
        let name = name ?? path
        var descriptor: Int32
        repeat {
            // Without O_NONBLOCK, opening a named pipe waits for a writer, and that wait cannot be cancelled.
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw Self.cannotOpen(name, errno) }
        var status = stat()
        // A directory can be opened, but not read.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw Self.cannotOpen(name, EISDIR)
        }
        self.init(descriptor: descriptor, name: name, isOwned: true)
    }

    /// Wraps a descriptor that is open for reading.
    ///
    /// - Parameters:
    ///   - descriptor: must stay open as long as this value exists.
    ///   - name: the name in errors.
    ///   - isOwned: whether this value closes it.
    package init(descriptor: Int32, name: String, isOwned: Bool) {
        (self.descriptor, self.name, self.isOwned) = (descriptor, name, isOwned)
        var status = stat()
        let isOpen = fstat(descriptor, &status) == 0
        let kind = isOpen ? status.st_mode & S_IFMT : 0
        size = kind == S_IFREG ? Int(status.st_size) : nil
        isSeekable = kind == S_IFREG || kind == S_IFBLK
        mayWait = isOpen && !isSeekable
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Waits until a read returns immediately: with bytes, the end or an error.
    ///
    /// - Parameter milliseconds: the longest wait.
    /// - Returns: false after a timeout. It also waits for a pipe that has no writer yet, although a read of it would
    ///   report the end.
    package borrowing func waitUntilReadable(_ milliseconds: Int32) -> Bool {
        guard mayWait else { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// The error for a failed read.
    package borrowing func readError(_ number: Int32) -> StreamError {
        StreamError(.readFailed, "\(name) cannot be read: \(systemMessage(number)).", underlying: number)
    }

    /// The error for a file that cannot be opened.
    package static func cannotOpen(_ name: String, _ number: Int32) -> StreamError {
        let reason =
            switch number {
            case ENOENT: "does not exist: check the path."
            case ENOTDIR: "cannot be opened: \(systemMessage(number)). Check the path."
            case EACCES, EPERM: "may not be read by this user: change its permissions."
            case EISDIR: "is a directory: name a file in it."
            case ENXIO, ENODEV: "is a socket, or a device without a driver, and cannot be read: name a file or a pipe."
            case EMFILE, ENFILE:
                "cannot be opened: too many files are open. Close some, or raise the limit (ulimit -n)."
            default: "cannot be opened: \(systemMessage(number))."
            }
        return StreamError(.cannotOpen, "\(name) \(reason)", underlying: number)
    }
}

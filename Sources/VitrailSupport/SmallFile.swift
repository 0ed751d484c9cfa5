import Glibc

/// The whole of a file that is known to be small, such as one with settings.
///
/// Only regular files are read: a pipe or a device may wait or never end. Neither is opened, because opening a pipe would
/// let its writer go on.
///
/// **Thread:** any.
package struct SmallFile: Sendable {
    /// Why a file cannot be read.
    package enum Problem: Error, Hashable, Sendable {
        /// It is not there, or may not be read; with the system's error number.
        case cannotOpen(Int32)
        /// It is a folder.
        case folder
        /// It is a pipe, a socket or a device.
        case notRegular
        /// It has more bytes than the limit.
        case tooLarge
        /// Reading has failed; with the system's error number.
        case cannotRead(Int32)
    }

    /// Which file it is, whatever its name.
    package struct Identity: Hashable, Sendable {
        private let device: dev_t
        private let number: ino_t

        fileprivate init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
    }

    /// All that is in it.
    package let bytes: [UInt8]
    /// Which file it is.
    package let identity: Identity

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - limit: the most bytes that it may have.
    /// - Throws: ``Problem``.
    package init(at path: String, limit: Int) throws(Problem) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .cannotOpen(errno) }
        try Self.check(status, limit)
        let descriptor = Self.open(path)
        guard descriptor >= 0 else { throw .cannotOpen(errno) }
        defer { close(descriptor) }
        // Another file may have taken its place.
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(errno) }
        try Self.check(status, limit)
        bytes = try Self.bytes(of: descriptor, expected: Int(status.st_size), limit)
        identity = Identity(status)
    }

    /// Reads what is in a file.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - limit: the most bytes that it may have.
    /// - Returns: all of it.
    /// - Throws: ``Problem``.
    package static func bytes(at path: String, limit: Int) throws(Problem) -> [UInt8] {
        try SmallFile(at: path, limit: limit).bytes
    }

    private static func check(_ status: stat, _ limit: Int) throws(Problem) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: if status.st_size > limit { throw .tooLarge }
        case S_IFDIR: throw .folder
        default: throw .notRegular
        }
    }

    private static func open(_ path: String) -> Int32 {
        while true {
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
            if descriptor >= 0 || errno != EINTR { return descriptor }
        }
    }

    /// Reads to the end, since files of the kernel say that they are empty, and others may grow meanwhile.
    private static func bytes(of descriptor: Int32, expected: Int, _ limit: Int) throws(Problem) -> [UInt8] {
        // One more byte than expected shows the end, and one more than the limit that there are too many.
        var bytes = [UInt8](repeating: 0, count: expected + 1)
        var count = 0
        while true {
            if count == bytes.count {
                guard count <= limit else { throw .tooLarge }
                bytes += repeatElement(0, count: min(max(count, 4096), limit + 1 - count))
            }
            let step = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if step == 0 { break }
            guard step > 0 || errno == EINTR else { throw .cannotRead(errno) }
            count += max(0, step)
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

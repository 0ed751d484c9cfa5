internal import Glibc

/// A file that appears at its path only when it is complete, and not at all after a failure.
///
/// It is written under a temporary name in the same folder. A device or a pipe is not replaced but written to directly.
/// If the value is released before ``commit()``, the temporary file is removed.
///
/// **Thread:** one at a time.
package final class AtomicFile {
    /// The system's error number.
    package struct Failure: Error {
        /// As in `errno`.
        package let number: Int32
    }

    /// The descriptor to write to, valid until ``commit()``.
    package let descriptor: Int32
    private let path: String
    private let temporary: String?
    private let noteRemoved: (_ path: String) -> Void
    private var isOpen = true

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: the path of the complete file. An existing file keeps its permissions, a symbolic link stays one.
    ///   - create: called with the temporary file's path; it calls its second argument, which creates the file and
    ///     returns a descriptor or a negative error number, and returns that. A program that removes the file when it
    ///     is interrupted records the path here.
    ///   - noteRemoved: called with that path once the file is no longer there.
    /// - Throws: ``Failure`` if the file or its folder may not be written.
    package init(
        _ path: String, create: (_ path: String, _ open: () -> Int32) -> Int32 = { $1() },
        noteRemoved: @escaping (_ path: String) -> Void = { _ in }
    ) throws(Failure) {
        self.noteRemoved = noteRemoved
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            (self.path, temporary) = (path, nil)
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(number: errno) }
            return
        }
        // Renaming over a file requires permission for its folder, not for the file.
        if exists, access(path, W_OK) != 0 { throw Failure(number: errno) }
        let resolved = exists ? realpath(path, nil) : nil
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? path
        let created = try Self.create(beside: self.path, create)
        (descriptor, temporary) = (created.descriptor, created.path)
        if exists { fchmod(descriptor, status.st_mode & 0o7777) }
    }

    deinit {
        guard isOpen else { return }
        close(descriptor)
        removeTemporary()
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``Failure``.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]).baseAddress, bytes.count - done)
            }
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw Failure(number: count == 0 ? EIO : errno)
            }
        }
    }

    /// Moves the complete file to its path.
    ///
    /// - Throws: ``Failure``; the temporary file is then removed.
    package func commit() throws(Failure) {
        isOpen = false
        var failure = close(descriptor) == 0 ? nil : Failure(number: errno)
        if failure == nil, let temporary, rename(temporary, path) != 0 { failure = Failure(number: errno) }
        if let failure {
            removeTemporary()
            throw failure
        }
        if let temporary { noteRemoved(temporary) }
    }

    private func removeTemporary() {
        guard let temporary else { return }
        unlink(temporary)
        noteRemoved(temporary)
    }

    /// Creates a file with a new, short name in the same folder, with permissions according to the user's mask.
    private static func create(
        beside path: String, _ create: (String, () -> Int32) -> Int32
    ) throws(Failure) -> (descriptor: Int32, path: String) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var attempt = 0
        while true {
            let name = "\(folder).vitrail-\(getpid())-\(attempt)"
            let result = create(name) {
                let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
                return descriptor >= 0 ? descriptor : -errno
            }
            if result >= 0 { return (result, name) }
            guard result == -EEXIST else { throw Failure(number: -result) }
            attempt += 1
        }
    }
}

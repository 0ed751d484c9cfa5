import FFmpegMedia
import Glibc

/// A file that appears only when it is complete, and not at all after an error.
///
/// It is written under a temporary name in the same folder, then renamed. A device or a pipe is written to directly.
final class OutputFile {
    /// The file descriptor to write to.
    let descriptor: Int32
    private let path: String
    private let temporary: String?
    private let files: TemporaryFiles
    private var isOpen = true

    /// Opens a file for writing.
    ///
    /// - Parameters:
    ///   - path: the path of the complete file.
    ///   - files: records the temporary file until it is complete.
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    init(_ path: String, _ files: TemporaryFiles) throws(ProgramError) {
        self.files = files
        var status = stat()
        let exists = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists, kind != S_IFREG {
            (self.path, temporary) = (path, nil)
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.failure(path, errno) }
            return
        }
        // Renaming over a file needs the folder's permission only, so check the file's, too.
        if exists, access(path, W_OK) != 0 { throw Self.failure(path, errno) }
        let resolved = exists ? realpath(path, nil) : nil
        defer { free(resolved) }
        // A symbolic link stays one.
        self.path = resolved.map { String(cString: $0) } ?? path
        let created = Self.create(beside: self.path, files)
        guard created.descriptor >= 0 else { throw Self.failure(path, errno) }
        (descriptor, temporary) = created
        if exists { fchmod(descriptor, status.st_mode & 0o7777) }
    }

    deinit {
        guard isOpen else { return }
        close(descriptor)
        removeTemporary()
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    func write(_ bytes: [UInt8]) throws(ProgramError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]).baseAddress, bytes.count - done)
            }
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw Self.failure(path, count == 0 ? EIO : errno)
            }
        }
    }

    /// Renames the complete file to its final name.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``; the temporary file is then removed.
    func commit() throws(ProgramError) {
        isOpen = false
        guard close(descriptor) == 0 else {
            let number = errno
            removeTemporary()
            throw Self.failure(path, number)
        }
        guard let temporary else { return }
        guard rename(temporary, path) == 0 else {
            let number = errno
            removeTemporary()
            throw Self.failure(path, number)
        }
        files.remove(temporary)
    }

    /// The error for an output that could not be written, from an `errno` value.
    static func failure(_ path: String, _ number: Int32) -> ProgramError {
        let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return ProgramError(
            .cannotCreate,
            "\(MediaLocation.hidingSecrets(in: path)) cannot be written: \(reason). Check the folder, its permissions and its free space."
        )
    }

    private func removeTemporary() {
        guard let temporary else { return }
        unlink(temporary)
        files.remove(temporary)
    }

    /// Makes a file with a new, short name in the same folder, with the permissions of the user's umask.
    private static func create(
        beside path: String, _ files: TemporaryFiles
    ) -> (descriptor: Int32, temporary: String?) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var attempt = 0
        while true {
            let name = "\(folder).vitrail-\(getpid())-\(attempt)"
            // Recorded first: a signal between the two must not leave it behind.
            files.insert(name)
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (descriptor, name) }
            let number = errno
            files.remove(name)
            guard number == EEXIST else {
                errno = number
                return (-1, nil)
            }
            attempt += 1
        }
    }
}

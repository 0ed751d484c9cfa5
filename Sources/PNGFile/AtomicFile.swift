internal import Glibc

/// Writes a file completely or not at all.
enum AtomicFile {
    /// Writes bytes to a path; an existing file stays unchanged until the new one is complete.
    ///
    /// - Returns: 0, or an `errno` value.
    static func write(_ bytes: [UInt8], to path: String) -> Int32 {
        var status = stat()
        let exists = stat(path, &status) == 0
        // A device or a pipe is written to directly, never replaced.
        if exists, status.st_mode & S_IFMT != S_IFREG { return writeInPlace(bytes, to: path) }
        // Renaming over a file needs the folder's permission only, so check the file's, too.
        if exists, access(path, W_OK) != 0 { return errno }
        // A symbolic link stays one, unless it is dangling: then the file replaces it.
        let target = realpath(path, nil)
        defer { free(target) }
        let final = target.map { String(cString: $0) } ?? path

        let (descriptor, name) = create(beside: final)
        guard descriptor >= 0 else { return errno }
        var failure = writeAll(bytes, to: descriptor)
        if failure == 0, exists, fchmod(descriptor, status.st_mode & 0o7777) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(name, final) != 0 { failure = errno }
        if failure != 0 { unlink(name) }
        return failure
    }

    /// Makes a file with a new name in the same folder, with the permissions of the user's umask.
    private static func create(beside path: String) -> (descriptor: Int32, name: String) {
        var attempt = 0
        while true {
            let name = "\(path).\(getpid()).\(attempt).tmp"
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 || errno != EEXIST { return (descriptor, name) }
            attempt += 1
        }
    }

    private static func writeInPlace(_ bytes: [UInt8], to path: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        let failure = writeAll(bytes, to: descriptor)
        return close(descriptor) != 0 && failure == 0 ? errno : failure
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count == 0 || errno != EINTR {
                    return count == 0 ? EIO : errno
                }
            }
            return 0
        }
    }
}

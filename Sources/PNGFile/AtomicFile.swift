internal import Glibc

/// A file that is written as a whole or not at all.
enum AtomicFile {
    /// Writes bytes to a path, where an existing file stays as it was until the new one is complete.
    ///
    /// - Returns: 0, or the error number of what failed.
    static func write(_ bytes: [UInt8], to path: String) -> Int32 {
        var status = stat()
        let exists = stat(path, &status) == 0
        // A device or a pipe is a place, not a content: it is written to and never replaced.
        if exists, status.st_mode & S_IFMT != S_IFREG { return writeInPlace(bytes, to: path) }
        // Renaming over a file would ask its folder for permission, not the file.
        if exists, access(path, W_OK) != 0 { return errno }
        // A symbolic link goes on being one, unless it leads nowhere: then the file takes its place.
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

    /// Makes a file of a new name in the same folder, with the permissions that the user's mask gives.
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

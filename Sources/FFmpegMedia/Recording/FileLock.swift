import Glibc

/// A lock on a file that exists, held as long as this value is.
///
/// Who writes a recording, or reads it for its index, has it alone; several that look for room may have it together.
struct FileLock: ~Copyable {
    private let descriptor: Int32
    /// What the file takes on the disk, in bytes.
    let byteCount: Int

    /// Locks the file; `nil` if it cannot be opened, or if somebody else has it alone and it is to be shared.
    ///
    /// - Parameters:
    ///   - path: its path; links are not followed.
    ///   - isShared: whether others that say so, too, may lock it meanwhile; if not, this waits for them.
    init?(_ path: String, isShared: Bool) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, isShared ? LOCK_SH | LOCK_NB : LOCK_EX) == 0, fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return nil
        }
        (self.descriptor, byteCount) = (descriptor, Int(status.st_blocks) * 512)
    }

    deinit { close(descriptor) }
}

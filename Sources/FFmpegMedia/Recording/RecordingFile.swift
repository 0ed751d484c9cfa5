import Glibc
import MediaIO
import VitrailSupport

/// A new file of a recording, locked while it is written, so that nobody deletes it to make room.
struct RecordingFile: ~Copyable {
    let path: String
    let descriptor: Int32

    /// Makes the file, and its folders.
    ///
    /// - Parameters:
    ///   - settings: the folder and how it is named.
    ///   - name: the name of the stream.
    ///   - time: when it begins.
    /// - Throws: ``StreamError/Code/writeFailed``.
    init(_ settings: RecordingSettings, name: String, time: RecordingTime) throws(StreamError) {
        for attempt in 0..<100_000 {
            let relative = settings.pattern.path(name: name, time: time, attempt: attempt)
            let path = "\(settings.folder)/\(relative)"
            if attempt == 0 { Self.makeFolders(of: path) }
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor < 0 else {
                // One that makes room may look at it just now, or even have deleted it.
                flock(descriptor, LOCK_EX)
                var status = stat()
                guard fstat(descriptor, &status) != 0 || status.st_nlink > 0 else {
                    close(descriptor)
                    continue
                }
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            guard errno == EEXIST else { throw Self.error(path, errno) }
        }
        throw Self.error("\(settings.folder)/\(settings.pattern)", EEXIST)
    }

    /// Makes a file beside a recording, which is to replace it; `nil` if that cannot be.
    init?(copyOf recording: String) {
        let path = Self.copyPath(of: recording)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        flock(descriptor, LOCK_EX)
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// The path of the copy of a recording, which players do not see.
    static func copyPath(of recording: String) -> String {
        let slash = recording.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map(recording.utf8.index(after:)) ?? recording.startIndex
        return "\(recording[..<name]).\(recording[name...]).tmp"
    }

    deinit { close(descriptor) }

    /// Has the disk store what was written: it is there after a loss of power.
    func synchronize() throws(StreamError) {
        guard fdatasync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
        throw Self.error(path, errno)
    }

    /// Empties the file, of which nothing can be played.
    func empty() {
        ftruncate(descriptor, 0)
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Deletes the file, of which nothing can be played.
    func delete() { unlink(path) }

    /// Deletes a file that nobody is writing.
    ///
    /// - Returns: whether it was deleted.
    @discardableResult
    static func deleteIfComplete(_ path: String) -> Bool {
        guard let lock = FileLock(path, isShared: true) else { return false }
        return withExtendedLifetime(lock) { unlink(path) == 0 }
    }

    private static func makeFolders(of path: String) {
        var end = path.startIndex
        // Of bytes: a letter with an accent may begin with a slash, which is one for the system.
        while let slash = path.utf8[end...].dropFirst().firstIndex(of: UInt8(ascii: "/")) {
            // Those that exist already are as good; what cannot be made is told when the file cannot.
            mkdir(String(path[..<slash]), 0o755)
            end = slash
        }
    }

    private static func error(_ path: String, _ number: Int32) -> StreamError {
        StreamError(
            .writeFailed, "\(path) cannot be written (\(systemMessage(number))): check the disk and its folder.",
            underlying: number)
    }
}

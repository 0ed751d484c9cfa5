import Glibc
import MediaIO
import VitrailSupport

/// The room on the disk of a folder of recordings.
///
/// **Thread:** the recorder's: a call may wait for a disk that hangs.
package struct RecordingRoom {
    /// The recordings of a folder, by what they take on the disk.
    private struct Files {
        /// Those that nobody is writing, the oldest first.
        var complete: [(path: String, byteCount: Int)] = []
        /// How many are being written, and their bytes.
        var open = (count: 0, byteCount: 0)

        var completeByteCount: Int { complete.reduce(0) { $0 + $1.byteCount } }
    }

    let settings: RecordingSettings
    let free: @Sendable (_ folder: String) -> Int?
    /// What is to stay free.
    private var reserve: Int { min(max(0, settings.reserve), 1 << 60) }
    /// What must be free beyond the reserve for another file, so that it does not end at once.
    private var margin: Int { min(max(reserve, 8 << 20), 64 << 20) }
    private var nextCheck = MonotonicTime.now

    /// Looks at nothing yet.
    ///
    /// - Parameters:
    ///   - settings: the folder, its reserve, and whether files may be deleted for it.
    ///   - free: how many bytes are free on the disk of a folder; `nil` if the system does not say it.
    init(_ settings: RecordingSettings, free: @escaping @Sendable (_ folder: String) -> Int? = Self.freeByteCount) {
        (self.settings, self.free) = (settings, free)
    }

    /// Whether there is room, as far as that was looked at within a second; deletes the oldest recordings for it, if asked.
    ///
    /// - Returns: why not; `nil` if there is.
    mutating func refusal(toBegin isBeginning: Bool) -> String? {
        guard isBeginning || .now >= nextCheck else { return nil }
        nextCheck = .now + .seconds(1)
        let needed = reserve + (isBeginning ? margin : 0)
        guard let free = free(settings.folder), free < needed else { return nil }
        if settings.deletesOldest, deleteOldest(until: needed, wanted: reserve + margin) { return nil }
        // Always in the same words, so that it is said once.
        let wanted = "\((reserve + margin) / 1_000_000) MB"
        return "the disk of \(settings.folder) is full: delete something there until \(wanted) are free"
    }

    /// How large a file may become, so that there is always an older one to delete; `nil` if none is to be deleted.
    ///
    /// An eighth of all the room there is, shared by those that are being written, of which this is one.
    func largestFile() -> Int? {
        guard settings.deletesOldest, let free = free(settings.folder) else { return nil }
        let files = files()
        let all = free - reserve + files.completeByteCount + files.open.byteCount
        return max(1 << 20, all / (8 * max(1, files.open.count)))
    }

    /// Whether so many more bytes leave the reserve free; deletes the oldest recordings for them, if asked.
    func makeRoom(for byteCount: Int) -> Bool {
        guard let free = free(settings.folder) else { return false }
        let needed = reserve + byteCount
        return free >= needed || settings.deletesOldest && deleteOldest(until: needed, wanted: needed)
    }

    /// Removes what a program that ended meanwhile has left of copies.
    func removeLeftovers() {
        for path in MatchingFiles.oldestFirst(settings.pattern.globs(in: settings.folder, ofCopies: true)) {
            RecordingFile.deleteIfComplete(path)
        }
    }

    private func files() -> Files {
        var files = Files()
        for path in MatchingFiles.oldestFirst(settings.pattern.globs(in: settings.folder)) {
            if let lock = FileLock(path, isShared: true) {
                files.complete.append((path, lock.byteCount))
            } else {
                var status = stat()
                guard stat(path, &status) == 0 else { continue }
                files.open.count += 1
                files.open.byteCount += Int(status.st_blocks) * 512
            }
        }
        return files
    }

    /// Deletes recordings, the oldest first, but none that is being written, and none if all are not enough.
    ///
    /// - Parameters:
    ///   - needed: the bytes that must be free.
    ///   - wanted: the bytes that are to be free, if there are so many.
    /// - Returns: whether there is room now.
    private func deleteOldest(until needed: Int, wanted: Int) -> Bool {
        guard let free = free(settings.folder) else { return false }
        let files = files()
        guard free + files.completeByteCount >= needed else { return false }
        // Some systems say only later that there is more room, so it is counted.
        var count = free
        for file in files.complete where count < wanted {
            if RecordingFile.deleteIfComplete(file.path) { count += file.byteCount }
        }
        // Others may make room at the same time.
        return count >= needed || self.free(settings.folder).map { $0 >= needed } ?? false
    }

    /// The bytes that are free on the disk of a folder; `nil` if the system does not say it.
    package static func freeByteCount(_ path: String) -> Int? {
        var status = statvfs()
        var folder = path[...]
        // The folder may be made later.
        while statvfs(folder.isEmpty ? "/" : String(folder), &status) != 0 {
            guard errno == ENOENT, !folder.isEmpty else { return nil }
            folder = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { folder[..<$0] } ?? (folder == "." ? "" : ".")
        }
        // Some do not count, as /proc.
        guard status.f_blocks > 0 else { return nil }
        let (count, isTooLarge) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return isTooLarge ? .max : count
    }
}

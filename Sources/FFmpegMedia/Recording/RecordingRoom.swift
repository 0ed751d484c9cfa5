import Glibc
import MediaIO
import VitrailSupport

/// The room on the disk of a folder of recordings.
///
/// **Thread:** the recorder's: a call may wait for a disk that hangs.
struct RecordingRoom {
    let settings: RecordingSettings
    /// What must be free beyond the reserve for another file, so that it does not end at once.
    private var margin: Int { min(max(settings.reserve, 8 << 20), 64 << 20) }
    private var nextCheck = MonotonicTime.now

    init(_ settings: RecordingSettings) { self.settings = settings }

    /// Whether there is room, as far as that was looked at within a second; deletes the oldest recordings for it, if asked.
    ///
    /// - Returns: why not; `nil` if there is.
    mutating func refusal(toBegin isBeginning: Bool) -> String? {
        guard isBeginning || .now >= nextCheck else { return nil }
        nextCheck = .now + .seconds(1)
        guard let free = free() else { return nil }
        if free >= settings.reserve + (isBeginning ? margin : 0) { return nil }
        if settings.deletesOldest, deleteOldest() { return nil }
        // Always in the same words, so that it is said once.
        let wanted = "\((settings.reserve + margin) >> 20) MiB"
        return "the disk of \(settings.folder) is full: delete something there until \(wanted) are free"
    }

    /// Whether so many more bytes leave the reserve free.
    func has(_ byteCount: Int) -> Bool { free().map { $0 - settings.reserve >= byteCount } ?? false }

    /// Removes what a program that ended meanwhile has left of copies.
    func removeLeftovers() {
        for path in MatchingFiles.oldestFirst(settings.pattern.globs(in: settings.folder, ofCopies: true)) {
            RecordingFile.deleteIfComplete(path)
        }
    }

    /// The bytes that are free; `nil` if the system does not say it.
    private func free() -> Int? {
        var status = statvfs()
        var folder = settings.folder[...]
        // The folder may be made later.
        while statvfs(folder.isEmpty ? "/" : String(folder), &status) != 0 {
            guard errno == ENOENT, !folder.isEmpty else { return nil }
            folder = folder.lastIndex(of: "/").map { folder[..<$0] } ?? (folder == "." ? "" : ".")
        }
        // Some do not count, as /proc.
        guard status.f_blocks > 0 else { return nil }
        return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
    }

    /// Deletes recordings, the oldest first, but not those that are being written.
    ///
    /// - Returns: whether there is room now.
    private func deleteOldest() -> Bool {
        let wanted = settings.reserve + margin
        for path in MatchingFiles.oldestFirst(settings.pattern.globs(in: settings.folder)) {
            guard let free = free(), free < wanted else { return true }
            RecordingFile.deleteIfComplete(path)
        }
        return free().map { $0 >= wanted } ?? false
    }
}

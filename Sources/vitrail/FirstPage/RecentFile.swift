import FFmpegMedia
import Glibc
import MediaIO
import VitrailSupport

/// The file with what was last opened: `vitrail/recent` in the folder for state of the XDG Base Directory Specification.
///
/// It is a convenience: if it cannot be read, nothing is recent, and if it cannot be written, nothing is said.
struct RecentFile {
    /// The folder that it is in; `nil` without a home.
    private let folder: String?

    private static let maximumBytes = 1 << 16

    /// The file that the environment names.
    init() { self.init(in: XDGFolder.path("XDG_STATE_HOME", orInHome: ".local/state").map { $0 + "/vitrail" }) }

    /// The file in a folder, which is made when there is something to write.
    init(in folder: String?) { self.folder = folder }

    private var path: String? { folder.map { "\($0)/recent" } }

    /// What was last opened.
    func read() -> RecentList {
        guard let path, let bytes = try? SmallFile.bytes(at: path, limit: Self.maximumBytes) else {
            return RecentList()
        }
        return RecentList(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Adds what was opened.
    ///
    /// - Parameters:
    ///   - opened: the entries, those that come first before the others.
    ///   - files: records the incomplete file.
    /// - Returns: the list with them in it, even if it cannot be written.
    func add(_ opened: [RecentList.Entry], _ files: TemporaryFiles) -> RecentList {
        // Another window may have written it.
        let old = read()
        var list = old
        list.add(opened)
        if list != old { write(list, files) }
        return list
    }

    private func write(_ list: RecentList, _ files: TemporaryFiles) {
        guard let path, let folder else { return }
        var status = stat()
        // What is no file is written to directly, and may wait for a reader.
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { return }
        do throws(ProgramError) {
            try XDGFolder.make(folder)
            let output = try OutputFile(path, files)
            guard fchmod(output.descriptor, 0o600) == 0 else { return }
            try output.write(Array(list.text.utf8))
            try output.commit()
        } catch {
            // A full disk or a home that is read-only is no reason to disturb.
            return
        }
    }
}

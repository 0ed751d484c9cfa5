import Glibc
import MediaIO

/// Saves snapshots of the wall as PNG files: one at a time, on a thread of its own.
///
/// **Thread:** any.
final class SnapshotWriter: Sendable {
    private struct State {
        var isBusy = false
        var result: Result<String, ProgramError>?
    }

    private let state = Monitor(State())

    /// Whether a picture is still being saved.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// Begins to save a picture under an unused name; only while none is being saved.
    ///
    /// - Parameters:
    ///   - pixels: RGBA, without gaps between rows.
    ///   - size: of the picture.
    ///   - files: records the incomplete file.
    ///   - folder: where to; `nil` for the current folder.
    ///   - wake: called when ``take()`` has the result.
    /// - Throws: ``StreamError`` if no thread can be started.
    func save(
        _ pixels: [UInt8], _ size: VideoSize, _ files: TemporaryFiles, in folder: String? = nil,
        wake: @escaping @Sendable () -> Void
    ) throws(StreamError) {
        let folder = folder.map { "\($0)/" } ?? ""
        state.withLock { $0.isBusy = true }
        do throws(StreamError) {
            try SystemThread(for: "the snapshot") { [state] in
                let result: Result<String, ProgramError>
                do throws(ProgramError) {
                    result = .success(try Self.write(pixels, size, folder, files))
                } catch {
                    result = .failure(error)
                }
                state.change { $0 = State(isBusy: false, result: result) }
                wake()
            }.detach()
        } catch {
            state.withLock { $0.isBusy = false }
            throw error
        }
    }

    /// The name of the file that was saved since the last call, or why it was not; `nil` if there is none.
    func take() -> Result<String, ProgramError>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }

    /// Waits until nothing is being saved any more, or the time is over.
    func finish(until deadline: MonotonicTime) { _ = state.wait(until: deadline) { $0.isBusy ? nil : () } }

    private static func write(
        _ pixels: [UInt8], _ size: VideoSize, _ folder: String, _ files: TemporaryFiles
    ) throws(ProgramError) -> String {
        let bytes = try PictureEncoder.encode(pixels, size)
        let path = folder + name(at: time(nil)) { access(folder + $0, F_OK) == 0 }
        let file = try OutputFile(path, files)
        try file.write(bytes)
        try file.commit()
        return path
    }

    /// Returns a name such as `vitrail-YYYYMMDD-HHMMSS.png` in local time, with `-2`, `-3` … if that is in use.
    ///
    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - ending: of the name.
    ///   - isTaken: whether a name is in use.
    /// - Returns: an unused name.
    static func name(at seconds: Int, ending: String = ".png", isTaken: (String) -> Bool) -> String {
        var (seconds, parts) = (seconds, tm())
        localtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2)
        let clock = digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2)
        let stem = "vitrail-\(day)-\(clock)"
        var name = stem + ending
        var number = 2
        while isTaken(name) {
            name = "\(stem)-\(number)\(ending)"
            number += 1
        }
        return name
    }
}

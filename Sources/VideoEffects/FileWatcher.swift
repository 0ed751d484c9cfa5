internal import Glibc
internal import MediaIO
public import VideoWall

/// Tells when files are saved: written in place, or replaced by renaming another file.
///
/// It watches folders, since a replaced file is another one (inotify).
///
/// **Thread:** any.
public final class FileWatcher: Sendable {
    private struct State {
        /// The watched folders, by inotify's numbers.
        var folders: [Int32: String] = [:]
        /// The files that matter.
        var paths: Set<String> = []
        var saved: Set<String> = []
    }

    private let inotify: Int32
    /// The ends of a pipe: closing the second one ends the thread.
    private let ends: (read: Int32, write: Int32)
    private let state = Monitor(State())
    private let thread: SystemThread

    /// Begins to watch; no file matters yet.
    ///
    /// - Parameter wake: called on a thread of the watcher when a file was saved.
    /// - Throws: `EffectError` if the system's limit is reached.
    public init(wake: @escaping @Sendable () -> Void) throws(EffectError) {
        let inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        var ends: [Int32] = [-1, -1]
        guard inotify >= 0, pipe(&ends) == 0 else {
            let reason = String(cString: strerror(errno))
            if inotify >= 0 { close(inotify) }
            throw EffectError("saved files are not noticed: \(reason)", file: "effects")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (state, end) = (state, ends[0])
        do throws(StreamError) {
            thread = try SystemThread(for: "effects") { Self.run(inotify, end, state, wake) }
        } catch {
            for descriptor in ends + [inotify] { close(descriptor) }
            throw EffectError(error.description, file: "effects")
        }
        self.inotify = inotify
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.write)
        thread.join()
        close(ends.read)
        close(inotify)
    }

    /// Sets the files that matter.
    ///
    /// **Cost:** rare; some system calls for each new folder.
    public func watch(_ paths: Set<String>) {
        state.withLock { state in
            guard paths != state.paths else { return }
            state.paths = paths
            let folders = Set(paths.map { EffectFile.folder(of: $0) })
            for (number, folder) in state.folders where !folders.contains(folder) {
                inotify_rm_watch(inotify, number)
                state.folders[number] = nil
            }
            let known = Set(state.folders.values)
            for folder in folders.subtracting(known) {
                let number = inotify_add_watch(inotify, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO))
                // A folder that is gone has no changes.
                if number >= 0 { state.folders[number] = folder }
            }
        }
    }

    /// The files that were saved since the last call.
    public func takeSaved() -> Set<String> {
        state.withLock { state in
            defer { state.saved = [] }
            return state.saved
        }
    }

    private static func run(_ inotify: Int32, _ end: Int32, _ state: Monitor<State>, _ wake: () -> Void) {
        // Events are at most this long: a header and a name.
        let size = MemoryLayout<inotify_event>.size
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * (size + 256), alignment: 8)
        defer { buffer.deallocate() }
        while true {
            var requests = [
                pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 2, -1) >= 0 || errno == EINTR else { return }
            if requests[1].revents != 0 { return }
            let count = read(inotify, buffer.baseAddress, buffer.count)
            guard count > 0 else { continue }
            var (place, isNew) = (0, false)
            while place + size <= count {
                let event = buffer.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let name = UnsafeRawBufferPointer(rebasing: buffer[(place + size)..<(place + size + Int(event.len))])
                place += size + Int(event.len)
                let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                state.withLock { state in
                    guard let folder = state.folders[event.wd] else { return }
                    for path in state.paths
                    where EffectFile.folder(of: path) == folder && EffectFile.file(of: path) == text {
                        isNew = true
                        state.saved.insert(path)
                    }
                }
            }
            if isNew { wake() }
        }
    }
}

internal import Glibc
internal import MediaIO
public import VideoWall
internal import VitrailSupport

/// Reports when files are saved: written in place, or replaced by renaming another file, even if a link leads to them.
///
/// It watches folders with inotify, since a watch on a file does not follow the file that replaces it. While a folder
/// is missing, the nearest folder above it is watched.
///
/// **Thread:** any.
public final class FileWatcher: Sendable {
    /// A file in a folder.
    private struct Place: Hashable {
        var folder: String
        var name: String
    }

    private struct State {
        /// The names of the watched folders, by inotify's watch descriptors; one folder may have several names.
        var folders: [Int32: Set<String>] = [:]
        /// The watched files, each with its places: a change in one of them concerns the file.
        var paths: [String: Set<Place>] = [:]
        /// The folders of those places that are missing.
        var missing: Set<String> = []
        var saved: Set<String> = []
        var lost: Set<String> = []
    }

    private let events: Inotify
    /// The ends of a pipe: closing the write end stops the thread.
    private let ends: (read: Int32, write: Int32)
    private let state = Monitor(State())
    private let thread: SystemThread

    /// Starts the watcher, without any files.
    ///
    /// - Parameter wake: called on the watcher's thread when a file was saved or lost.
    /// - Throws: `EffectError` if the system's limit is reached.
    public init(wake: @escaping @Sendable () -> Void) throws(EffectError) {
        var ends: [Int32] = [-1, -1]
        guard let events = Inotify(), pipe(&ends) == 0 else {
            throw EffectError("saved files are not noticed: \(systemMessage(errno))", file: "effects")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (state, end) = (state, ends[0])
        do throws(StreamError) {
            thread = try SystemThread(for: "effects") { Self.run(events, end, state, wake) }
        } catch {
            for descriptor in ends { close(descriptor) }
            throw EffectError(error.description, file: "effects")
        }
        self.events = events
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.write)
        thread.join()
        close(ends.read)
    }

    /// Sets the files to watch.
    ///
    /// **Cost:** rare; some system calls for each new folder.
    public func watch(_ paths: Set<String>) {
        state.withLock { state in
            state.paths = [:]
            for path in paths { state.paths[path] = Self.places(of: path) }
            Self.watchFolders(events, &state)
        }
    }

    /// The files that were saved since the last call.
    public func takeSaved() -> Set<String> {
        state.withLock { state in
            defer { state.saved = [] }
            return state.saved
        }
    }

    /// The files that were removed, renamed or given other permissions since the last call; some are there again.
    public func takeLost() -> Set<String> {
        state.withLock { state in
            defer { state.lost = [] }
            return state.lost
        }
    }

    /// The place that a path names, and, if that is a link, the place where the file is.
    private static func places(of path: String) -> Set<Place> {
        var places: Set = [Place(folder: EffectFile.folder(of: path), name: String(EffectFile.file(of: path)))]
        if let real = realpath(path, nil) {
            let target = String(cString: real)
            free(real)
            places.insert(Place(folder: EffectFile.folder(of: target), name: String(EffectFile.file(of: target))))
        }
        return places
    }

    /// Watches the folders of all places; for a missing folder, the nearest existing one above it.
    private static func watchFolders(_ events: Inotify, _ state: inout State) {
        let folders = Set(state.paths.values.flatMap { $0.map(\.folder) })
        var numbers: [Int32: Set<String>] = [:]
        state.missing = []
        for folder in folders where !watch(folder, events, &numbers) { state.missing.insert(folder) }
        for number in state.folders.keys where numbers[number] == nil { events.remove(number) }
        state.folders = numbers
    }

    /// Watches a folder, or the nearest existing one above it.
    ///
    /// - Returns: whether the folder itself exists.
    private static func watch(_ folder: String, _ events: Inotify, _ numbers: inout [Int32: Set<String>]) -> Bool {
        while true {
            var (place, below) = (folder, String?.none)
            // For a folder that is already watched, inotify returns the same watch descriptor.
            var number = events.add(place, mask: mask)
            var mayCome = true
            while number < 0, place != "/", place != "." {
                mayCome = errno == ENOENT
                (place, below) = (EffectFile.folder(of: place), place)
                number = events.add(place, mask: mask)
            }
            if number >= 0 { numbers[number, default: []].insert(place) }
            guard let below else { return number >= 0 }
            // The folder below may have appeared before the one above it was watched; no event would report that.
            guard mayCome, access(below, F_OK) == 0 else { return false }
        }
    }

    /// Files that may not be there any more, or not for everyone.
    private static let losses = UInt32(IN_DELETE | IN_MOVED_FROM | IN_ATTRIB)
    /// The events to report: files that are saved or lost, and folders that appear or disappear.
    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF) | losses

    private static func run(_ events: Inotify, _ end: Int32, _ state: Monitor<State>, _ wake: () -> Void) {
        while true {
            var requests = [
                pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 2, -1) >= 0 || errno == EINTR else { return }
            if requests[1].revents != 0 { return }
            let isNew = events.readEvents { mask, watch, name in
                state.withLock { note(mask, watch, name, events, &$0) }
            }
            if isNew { wake() }
        }
    }

    /// Handles an event.
    ///
    /// - Returns: whether a file was saved or lost.
    private static func note(
        _ mask: UInt32, _ watch: Int32, _ name: String, _ events: Inotify, _ state: inout State
    ) -> Bool {
        guard let folders = state.folders[watch] else { return false }
        if mask & losses != 0 {
            let lost = state.paths.filter { $0.value.contains { $0.name == name && folders.contains($0.folder) } }.keys
            state.lost.formUnion(lost)
            return !lost.isEmpty
        }
        let isGone = mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0
        if mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0 {
            let saved = state.paths.filter { $0.value.contains { $0.name == name && folders.contains($0.folder) } }.keys
            state.saved.formUnion(saved)
            if !saved.isEmpty { return true }
        }
        guard isGone || !state.missing.isEmpty else { return false }
        if isGone { events.remove(watch) }
        let missing = isGone ? state.missing.union(folders) : state.missing
        watchFolders(events, &state)
        // The files of a folder that is back may have been saved before the folder was watched again.
        let back = missing.subtracting(state.missing)
        let saved = state.paths.filter { $0.value.contains { back.contains($0.folder) } }.keys
        for path in saved { state.paths[path] = places(of: path) }
        state.saved.formUnion(saved)
        return !saved.isEmpty
    }
}

import Glibc
package import MediaIO
import VitrailSupport

/// Gives complete recordings in MP4 an index, so that players can seek in them: one file after the other, on a thread of
/// its own.
///
/// The file is written again beside itself, and then replaces itself. Where there is no room for that, or if the program
/// ends meanwhile, it stays as it was: in fragments, which can be played as well.
///
/// **Thread:** any.
package final class RecordingIndexer: Sendable {
    private struct Job {
        var path: String
        var room: RecordingRoom
    }

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
        var isCancelled = false
    }

    private let state = Monitor(State())

    /// Has nothing to do yet.
    package init() {}

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - room: the room on its disk.
    func add(_ path: String, _ room: RecordingRoom) {
        let isFirst = state.withLock { state in
            state.jobs.append(Job(path: path, room: room))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        let state = state
        do throws(StreamError) {
            try SystemThread(for: "an index", niceness: 19) { Self.run(state) }.detach()
        } catch {
            // The file can be played without it.
            state.change { $0 = State() }
        }
    }

    /// Waits until all files have one.
    ///
    /// - Parameter deadline: how long; the file that is worked on then stays as it was.
    /// - Returns: whether they have.
    package func wait(until deadline: MonotonicTime) -> Bool {
        if state.wait(until: deadline, { $0.isRunning ? nil : true }) == true { return true }
        // One that has just ended must not stop the next.
        state.change { if $0.isRunning { $0.isCancelled = true } }
        return false
    }

    private static func run(_ state: Monitor<State>) {
        while true {
            let job = state.change { state -> Job? in
                if state.jobs.isEmpty || state.isCancelled { state = State() }
                return state.jobs.first
            }
            guard let job else { return }
            index(job) { state.withLock { $0.isCancelled } }
            state.withLock { state in if !state.jobs.isEmpty { state.jobs.removeFirst() } }
        }
    }

    private static func index(_ job: Job, _ isCancelled: () -> Bool) {
        // Its recorder may be about to let go of it; nobody makes room with it meanwhile.
        guard let lock = FileLock(job.path, isShared: false) else { return }
        withExtendedLifetime(lock) { replace(job.path, job.room, isCancelled) }
    }

    private static func replace(_ path: String, _ room: RecordingRoom, _ isCancelled: () -> Bool) {
        var status = stat()
        guard stat(path, &status) == 0, room.makeRoom(for: Int(status.st_size)), let copy = RecordingFile(copyOf: path)
        else {
            return
        }
        guard MP4Copy.make(of: path, in: copy, isCancelled), rename(copy.path, path) == 0 else { return copy.delete() }
        // It is as old as before, for those who sort by time.
        futimens(copy.descriptor, [status.st_atim, status.st_mtim])
    }
}

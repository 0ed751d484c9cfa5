import Glibc
import MediaIO
import VideoEffects
import VideoWall

/// Reads effects that were saved or dropped, on a thread of its own: the checks of a long one take as long as many
/// pictures.
///
/// **Thread:** any.
final class EffectReader: Sendable {
    /// What to read.
    enum Work: Sendable {
        /// Files that were saved, for the chains that may use them, and for the wall's file if it is to be read again.
        case saved(Set<String>, of: [EffectChain], wall: String?)
        /// Files that were dropped on the window.
        case dropped([String], on: WallTile.ID?)
    }

    /// What was read: it is remembered, so that reading it again takes no time.
    enum Result: Sendable {
        case saved(Set<String>, SavedEffects)
        case dropped([String], on: WallTile.ID?)
    }

    private struct State {
        var work: [Work] = []
        var isReading = false
        var results: [Result] = []
    }

    private let state = Monitor(State())
    private let wake: @Sendable () -> Void

    /// Starts no thread yet.
    ///
    /// - Parameter wake: called on another thread when ``take()`` has something.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Begins to read something, after what is being read.
    func read(_ work: Work) {
        let isReading = state.withLock { state in
            state.work.append(work)
            defer { state.isReading = true }
            return state.isReading
        }
        if isReading { return }
        let read: @Sendable () -> Void = { [state, wake] in
            while let work = Self.next(state) {
                let result = Self.result(of: work)
                state.withLock { $0.results.append(result) }
                wake()
            }
        }
        // Without a thread, the wall waits.
        do throws(StreamError) { try SystemThread(for: "effects", niceness: 10, run: read).detach() } catch { read() }
    }

    /// What was read since the last call.
    func take() -> [Result] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    private static func next(_ state: Monitor<State>) -> Work? {
        state.withLock { state in
            state.isReading = !state.work.isEmpty
            return state.work.isEmpty ? nil : state.work.removeFirst()
        }
    }

    private static func result(of work: Work) -> Result {
        switch work {
        case .saved(let files, let chains, let wall):
            // What has changed in the last 20 ms is not remembered, because it may still change unseen.
            usleep(30_000)
            if let wall { _ = try? WallFile.read(wall) }
            return .saved(files, SavedEffects(files, of: chains))
        case .dropped(let paths, let tile):
            for path in paths {
                switch DroppedFile(path) {
                case .effect: _ = try? EffectFile.read(path)
                case .table: _ = try? CubeFile.read(path)
                case .preset:
                    var notes: [String] = []
                    _ = try? EffectPreset.chains(ofFileAt: path, notes: &notes)
                case .wall, .input: break
                }
            }
            return .dropped(paths, on: tile)
        }
    }
}

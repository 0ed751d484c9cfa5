import MediaIO
import VideoEffects
import VideoWall

/// Reads effects whose files were saved, on a thread of its own: the checks of a long one take as long as many pictures.
///
/// **Thread:** any.
final class EffectReader: Sendable {
    private struct State {
        var files: Set<String> = []
        /// The chains that may use them.
        var chains: [EffectChain] = []
        var isReading = false
        var results: [SavedEffects] = []
    }

    private let state = Monitor(State())
    private let wake: @Sendable () -> Void

    /// Starts no thread yet.
    ///
    /// - Parameter wake: called on another thread when ``take()`` has something.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Begins to read files after those that are being read.
    ///
    /// - Parameters:
    ///   - files: the files that were saved.
    ///   - chains: the chains that may use them.
    func read(_ files: Set<String>, of chains: [EffectChain]) {
        let isReading = state.withLock { state in
            state.files.formUnion(files)
            state.chains = chains
            defer { state.isReading = true }
            return state.isReading
        }
        if isReading { return }
        let read: @Sendable () -> Void = { [state, wake] in
            while let (files, chains) = Self.next(state) {
                let saved = SavedEffects(files, of: chains)
                state.withLock { $0.results.append(saved) }
                wake()
            }
        }
        // Without a thread, the wall waits.
        do throws(StreamError) { try SystemThread(for: "effects", niceness: 10, run: read).detach() } catch { read() }
    }

    /// What was read since the last call.
    func take() -> [SavedEffects] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    private static func next(_ state: Monitor<State>) -> (Set<String>, [EffectChain])? {
        state.withLock { state in
            defer { (state.files, state.chains, state.isReading) = ([], [], !state.files.isEmpty) }
            return state.files.isEmpty ? nil : (state.files, state.chains)
        }
    }
}

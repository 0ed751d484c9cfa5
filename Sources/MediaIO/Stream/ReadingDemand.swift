internal import Synchronization

/// What a player wants of the frames that a reader makes.
///
/// The player changes it, the reader looks at it before each frame. Frames that are left out do not change the times of
/// the others.
///
/// **Thread:** any. **Cost:** looking at it takes one atomic operation while it stays the same.
public final class ReadingDemand: Sendable {
    private struct State {
        var wants = VideoSinkWants.everything
        var isOmitting = false
    }

    private let state = Monitor(State())
    private let version = Atomic(0)

    /// Creates a demand for everything.
    public init() {}

    /// What the sinks want, if fewer or smaller frames save work.
    public var wants: VideoSinkWants {
        get { state.withLock { $0.wants } }
        set { change { $0.wants = newValue } }
    }

    /// Whether frames that no other frame depends on are left out, if that saves work.
    public var isOmitting: Bool {
        get { state.withLock { $0.isOmitting } }
        set { change { $0.isOmitting = newValue } }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in body(&state) }
        version.add(1, ordering: .releasing)
    }

    /// Whether it was changed since the last look.
    ///
    /// - Parameter version: the number of that look, 0 before the first; updated.
    /// - Returns: true if it was.
    public func hasChanged(since version: inout Int) -> Bool {
        let now = self.version.load(ordering: .acquiring)
        defer { version = now }
        return now != version
    }
}

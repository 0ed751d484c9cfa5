internal import Glibc
import MediaIO

/// A consumer or sink that checks whether the source may make each call now.
final class WatchedConsumer: VideoSink {
    enum Phase: String { case created, started, stopped, disposed }

    private struct State {
        var phase = Phase.created
        var running = 0
        var frames = 0
        var hasEnded = false
        /// The thread that is in `adapt(to:)`, if any.
        var adapting: UInt?
    }

    private let trace: Trace
    private let state = Monitor(State())
    private let onFrame: @Sendable (WatchedConsumer, Int) -> Void
    /// Whether it is used as a sink, whose own steps set the phase; otherwise ``enter(_:)`` does.
    private let isSink: Bool

    init(
        _ trace: Trace, isSink: Bool = false, onFrame: @escaping @Sendable (WatchedConsumer, Int) -> Void = { _, _ in }
    ) {
        (self.trace, self.isSink, self.onFrame) = (trace, isSink, onFrame)
    }

    var frameCount: Int { state.withLock { $0.frames } }
    var isRunning: Bool { state.withLock { $0.running > 0 } }

    /// Whether the source has delivered another frame, or has ended.
    func hasMore(than count: Int) -> Bool { state.withLock { $0.frames > count || $0.hasEnded } }

    /// Sets what the source may do from now on.
    func enter(_ phase: Phase) {
        let isRunning = state.withLock { state in
            state.phase = phase
            return state.running > 0
        }
        guard isRunning else { return }
        switch phase {
        case .stopped: trace.violate(.callAfterStop, "A call was still running when stop() returned.")
        case .disposed: trace.violate(.callAfterDispose, "A call was still running when dispose() returned.")
        case .created, .started: break
        }
    }

    /// Notes which thread is in `adapt(to:)`.
    func note(adapting thread: UInt?) { state.withLock { $0.adapting = thread } }

    // MARK: VideoSink

    func consume(_ frame: VideoFrame) {
        let count = begin("a frame") { state in
            state.frames += 1
            return state.frames
        }
        onFrame(self, count)
        end()
    }

    func sourceDidOmit(_ count: Int) {
        begin("sourceDidOmit(\(count))") { _ in }
        end()
    }

    func sourceDidChange(_ condition: SourceCondition) {
        begin("\(condition)") { state in
            switch condition {
            case .ended, .failed: state.hasEnded = true
            case .waiting, .live: break
            }
        }
        end()
    }

    func start() throws(StreamError) { if isSink { enter(.started) } }
    func stop() { if isSink { enter(.stopped) } }
    func dispose() { if isSink { enter(.disposed) } }

    @discardableResult
    private func begin<Result>(_ call: String, _ count: (inout State) -> Result) -> Result {
        trace.note(call)
        let current = UInt(pthread_self())
        let (phase, running, isAdapting, result) = state.withLock { state in
            state.running += 1
            return (state.phase, state.running, state.adapting == current, count(&state))
        }
        if isAdapting { trace.violate(.callWithinAdapt, "\(call) came from within adapt(to:).") }
        if running > 1 { trace.violate(.overlappingCalls, "\(call) came while another call was running.") }
        switch phase {
        case .started: break
        case .created: trace.violate(.callBeforeStart, "\(call) came before start().")
        case .stopped: trace.violate(.callAfterStop, "\(call) came after stop() had returned.")
        case .disposed: trace.violate(.callAfterDispose, "\(call) came after dispose() had returned.")
        }
        return result
    }

    private func end() { state.withLock { $0.running -= 1 } }
}

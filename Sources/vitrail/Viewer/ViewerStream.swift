import Logging
import MediaIO

/// One input of the wall: opened on a thread of its own, so that a slow one never holds up the loop.
///
/// **Thread:** any.
final class ViewerStream: Sendable {
    private enum Phase { case opening, open, closed }
    private struct State {
        var phase = Phase.opening
        var isPaused = false
    }

    /// Where the frames arrive.
    let mailbox: FrameMailbox
    private let stream: VideoStream
    private let cancellation = ReadCancellation()
    private let log: ConditionLog
    private let state = Monitor(State())

    /// Makes a stream; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - specification: what to open.
    ///   - limit: the OpenGL driver's largest texture.
    ///   - logger: where failures are told, one line each.
    ///   - wake: called whenever there is something new.
    init(
        _ specification: InputSpecification, limit: Int, _ logger: Logger, wake: @escaping @Sendable () -> Void
    ) {
        let cancellation = cancellation
        let source = specification.makeSource(limit: limit, cancellation: cancellation, logger: logger)
        mailbox = FrameMailbox(wake: wake)
        log = ConditionLog(specification.name, logger, cancellation)
        stream = VideoStream(source: source, sinks: [mailbox, log])
    }

    /// Whether it could not be opened or broke off, so far.
    var hasFailed: Bool { if case .failed = mailbox.condition { true } else { false } }

    /// Opens the input and plays it; when that fails, the tile says why.
    func open() {
        do throws(StreamError) {
            try SystemThread(for: stream.source.name) { [self] in play() }.detach()
        } catch {
            fail(error.description)
        }
    }

    private func play() {
        do throws(StreamError) {
            try stream.initialize()
            try state.withLock { (state) throws(StreamError) in
                guard state.phase == .opening else { return }
                state.phase = .open
                if !state.isPaused { try stream.start() }
            }
        } catch {
            fail(error.description)
        }
    }

    /// Holds the stream, or lets it go on where it was.
    func setPaused(_ isPaused: Bool) {
        do throws(StreamError) {
            try state.withLock { (state) throws(StreamError) in
                state.isPaused = isPaused
                guard state.phase == .open else { return }
                if isPaused {
                    stream.stop()
                } else if mailbox.condition != .ended {
                    // What is over would begin again.
                    try stream.start()
                }
            }
        } catch {
            fail(error.description)
        }
    }

    /// Lets go of everything; waits until the stream's own threads have ended.
    func close() {
        let wasOpen = state.withLock { state in
            defer { state.phase = .closed }
            return state.phase == .open
        }
        // What is open ends its own waiting when it is disposed of; what is still being opened would hold us up.
        if !wasOpen { cancellation.cancel() }
        stream.dispose()
    }

    private func fail(_ reason: String) {
        mailbox.sourceDidChange(.failed(reason))
        log.sourceDidChange(.failed(reason))
    }
}

/// Logs the changes of a stream's condition, one line each.
private final class ConditionLog: VideoSink {
    private let name: String
    private let logger: Logger
    private let cancellation: ReadCancellation
    private let last = Monitor<SourceCondition?>(nil)
    let demand: SinkDemand? = SinkDemand(.nothing)

    init(_ name: String, _ logger: Logger, _ cancellation: ReadCancellation) {
        self.name = name
        self.logger = logger
        self.cancellation = cancellation
    }

    func consume(_ frame: VideoFrame) {}

    func sourceDidChange(_ condition: SourceCondition) {
        let isNew = last.withLock { last in
            defer { last = condition }
            return last != condition
        }
        // Whoever closes a stream knows that it breaks off.
        guard isNew, !cancellation.isCancelled else { return }
        switch condition {
        case .failed(let reason): logger.error("\(reason)")
        case .ended: logger.info("\(name) has ended.")
        case .waiting(let reason): logger.warning("\(name): \(reason)")
        case .live: logger.notice("\(name) is connected.")
        }
    }
}

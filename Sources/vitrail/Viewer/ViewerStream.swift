import FFmpegMedia
import Logging
import MediaIO

/// One input of the wall, opened on its own thread, so that a slow one never blocks the loop.
///
/// **Thread:** any.
final class ViewerStream: Sendable {
    private enum Phase { case opening, open, closed }
    private struct State {
        var phase = Phase.opening
        var isPaused = false
    }

    /// The first of the mailboxes, which all get the same frames.
    private let mailbox: FrameMailbox
    private let mailboxes: [FrameMailbox]
    private let stream: VideoStream
    private let cancellation = ReadCancellation()
    private let log: ConditionLog
    private let isContinuous = Monitor(false)
    private let state = Monitor(State())

    /// Makes a stream; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - specification: the input to open.
    ///   - mailboxes: those of the tiles that show it, at least one.
    ///   - limit: the OpenGL driver's largest texture.
    ///   - slots: the slots that all streams share to decode.
    ///   - logger: where failures are logged, one line each.
    init(
        _ specification: InputSpecification, _ mailboxes: [FrameMailbox], limit: Int, _ slots: DecodingSlots,
        _ logger: Logger
    ) {
        let (cancellation, isContinuous) = (cancellation, isContinuous)
        let source = specification.makeSource(
            limit: limit, slots: slots, cancellation: cancellation, logger: logger
        ) { now in isContinuous.withLock { $0 = now } }
        mailbox = mailboxes[0]
        self.mailboxes = mailboxes
        log = ConditionLog(specification.name, logger, cancellation)
        stream = VideoStream(source: source, sinks: mailboxes as [any VideoSink] + [log])
    }

    /// What plays the input.
    var source: any VideoSource { stream.source }

    /// Whether its pictures never cease while it is connected: it is live, and not paused.
    var expectsPictures: Bool { isContinuous.withLock(\.self) && !state.withLock(\.isPaused) }

    /// Whether a frame has arrived.
    var hasDelivered: Bool { mailbox.statistics.received > 0 }

    /// Whether it could not be opened or has failed so far; a network stream that was never reached counts, one that
    /// was lost and may come back does not.
    var hasFailed: Bool {
        switch mailbox.condition {
        case .failed: true
        case .waiting: log.isWaiting && !hasDelivered
        case .live, .ended: false
        }
    }

    /// Opens the input and plays it; after a failure, the tile shows the reason.
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

    /// Pauses or resumes the stream.
    func setPaused(_ isPaused: Bool) {
        do throws(StreamError) {
            try state.withLock { (state) throws(StreamError) in
                state.isPaused = isPaused
                guard state.phase == .open else { return }
                if isPaused {
                    stream.stop()
                } else if mailbox.condition != .ended {
                    // A stream that has ended would start again.
                    try stream.start()
                }
            }
        } catch {
            fail(error.description)
        }
    }

    /// Releases everything; waits until the stream's own threads have ended.
    func close() {
        let wasOpen = state.withLock { state in
            defer { state.phase = .closed }
            return state.phase == .open
        }
        // An open stream ends its own wait when it is disposed of; one that is still opening must be cancelled.
        if !wasOpen { cancellation.cancel() }
        stream.dispose()
    }

    private func fail(_ reason: String) {
        for mailbox in mailboxes { mailbox.sourceDidChange(.failed(reason)) }
        log.sourceDidChange(.failed(reason))
    }
}

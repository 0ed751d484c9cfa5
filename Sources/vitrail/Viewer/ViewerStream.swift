import FFmpegMedia
import Logging
import MediaIO
import V4L2Capture
import VideoWall

/// One input of the wall, opened on its own thread, so that a slow one never blocks the loop.
///
/// **Thread:** any.
final class ViewerStream: Sendable {
    private enum Phase { case opening, open, closed }
    private struct State {
        var phase = Phase.opening
        var isPaused = false
        /// Which moment its source shows; `nil` for the present.
        var playhead: Playhead?
    }

    private let sinks: Monitor<[TileSink]>
    private let stream: VideoStream
    private let cancellation = ReadCancellation()
    private let log: ConditionLog
    /// For all tiles and connections.
    private let warnings: OnceLog
    private let limit: SizeLimit
    private let isContinuous = Monitor(false)
    private let state = Monitor(State())

    /// Makes a stream; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - specification: the input to open.
    ///   - mailboxes: those of the tiles that show it, at least one.
    ///   - old: the stream that they show until this one's first picture; `nil` for none.
    ///   - limit: the largest frame that can be drawn.
    ///   - shared: what the decoders of all streams have in common.
    ///   - logger: where failures are logged, one line each.
    init(
        _ specification: InputSpecification, _ mailboxes: [FrameMailbox], insteadOf old: ViewerStream? = nil,
        limit: SizeLimit, _ shared: SharedDecoding, _ logger: Logger
    ) {
        let (cancellation, isContinuous) = (cancellation, isContinuous)
        let (log, warnings) = (ConditionLog(specification.name, logger, cancellation), OnceLog(logger))
        (self.log, self.warnings, self.limit) = (log, warnings, limit)
        let source = specification.makeSource(
            limit: limit, shared: shared, cancellation: cancellation, log: warnings
        ) { now in isContinuous.withLock { $0 = now } }
        (source as? any PacketSource)?.packets.ring = shared.rings?.makeRing()
        let adjustment = specification.makeAdjustment(limit, warnings)
        let sinks = mailboxes.map { TileSink($0, adjustment, insteadOf: old?.sink(of: $0)) }
        self.sinks = Monitor(sinks)
        stream = VideoStream(source: source, sinks: sinks) { log.note($0) }
    }

    /// What plays the input.
    var source: any VideoSource { stream.source }

    /// Whether its pictures never cease while it is connected: it is live, and not paused.
    var expectsPictures: Bool {
        isContinuous.withLock(\.self) && !state.withLock { $0.isPaused || $0.playhead?.isStopped == true }
    }

    private var mailboxes: [FrameMailbox] { sinks.withLock { $0.map(\.mailbox) } }

    /// Whether a frame has arrived.
    var hasDelivered: Bool { mailboxes.contains { $0.statistics.received > 0 } }

    /// Whether it could not be opened or has failed so far; a network stream that was never reached counts, one that
    /// was lost and may come back does not.
    var hasFailed: Bool {
        mailboxes.contains { mailbox in
            switch mailbox.condition {
            case .failed: true
            case .waiting: log.isWaiting && !hasDelivered
            case .live, .ended: false
            }
        }
    }

    /// Opens the input and plays it; after a failure, the tile shows the reason.
    func open() {
        do throws(StreamError) {
            try SystemThread(for: stream.source.name) { [self] in play() }.detach()
        } catch {
            fail(error)
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
            fail(error)
        }
    }

    /// Shows the stream in one more tile; does not wait.
    ///
    /// - Parameters:
    ///   - mailbox: the tile's mailbox.
    ///   - specification: the tile's input, which has the same connection.
    ///   - old: the stream that it shows until the next picture of this one; `nil` for none.
    func add(_ mailbox: FrameMailbox, _ specification: InputSpecification, insteadOf old: ViewerStream? = nil) {
        let sink = TileSink(
            mailbox, specification.makeAdjustment(limit, warnings), insteadOf: old?.sink(of: mailbox))
        sinks.withLock { $0.append(sink) }
        onThread { stream, log in
            do throws(StreamError) {
                try stream.add(sink)
                // It hears only what happens from now on.
                if let condition = log.condition, condition != .live { sink.sourceDidChange(condition) }
            } catch {
                sink.sourceDidChange(.failed(error.description, code: error.code))
            }
        }
    }

    /// No longer shows the stream in a tile; does not wait.
    func remove(_ mailbox: FrameMailbox) {
        let sink = sinks.withLock { sinks -> TileSink? in
            guard let index = sinks.firstIndex(where: { $0.mailbox === mailbox }) else { return nil }
            return sinks.remove(at: index)
        }
        if let sink { onThread { stream, _ in stream.remove(sink) } }
    }

    /// Changes what the options of a tile set in its frames, when they are the same connection.
    func update(_ tile: WallTile, _ specification: InputSpecification) {
        guard let sink = sink(of: tile.mailbox) else { return }
        let adjustment = specification.makeAdjustment(limit, warnings)
        // The picture that is shown may stay for long.
        if let own = sink.set(adjustment) { tile.setAttributes(adjustment.adjusted(own)) }
    }

    /// The attributes of a tile's last frame without any options; `nil` before the first.
    func ownAttributes(of tile: WallTile) -> FrameAttributes? { sink(of: tile.mailbox)?.ownAttributes }

    /// Whether a tile shows this stream, and not still the one that it replaces.
    func isShown(in mailbox: FrameMailbox) -> Bool { sink(of: mailbox)?.isOpen ?? false }

    private func sink(of mailbox: FrameMailbox) -> TileSink? {
        sinks.withLock { sinks in sinks.first { $0.mailbox === mailbox } }
    }

    /// Changes the stream on another thread: a step of the stream, such as opening, may take long.
    private func onThread(_ change: @escaping @Sendable (VideoStream, ConditionLog) -> Void) {
        let (stream, log) = (stream, log)
        do throws(StreamError) {
            try SystemThread(for: stream.source.name) { change(stream, log) }.detach()
        } catch {
            change(stream, log)
        }
    }

    /// What is known of the clock of its sender or camera; `nil` of one that is not live.
    var captureReport: CaptureReport? {
        (stream.source as? LiveSource)?.captureReport ?? (stream.source as? Camera)?.captureReport
    }

    /// Whether it can show the same instant as others.
    var canAlign: Bool { stream.source is LiveSource || stream.source is Camera }

    /// How long it holds pictures at present; `nil` if it does not.
    var playoutDelay: Duration? {
        if let camera = stream.source as? Camera { return camera.playoutDelay > .zero ? camera.playoutDelay : nil }
        return (stream.source as? LiveSource)?.playoutDelay
    }

    private var rewindable: (any RewindableSource)? { stream.source as? any RewindableSource }

    /// The moments that it can show; `nil` if there is only the present.
    var moments: ClosedRange<MonotonicTime>? { rewindable?.moments }

    /// The moment of the picture that it shows; `nil` while it shows the present.
    var shownMoment: MonotonicTime? { rewindable?.shownMoment }

    /// Whether its moments are those of a ring, which releases the oldest.
    var isKept: Bool { stream.source is any PacketSource }

    /// Whether it shows another moment than the present.
    var isPast: Bool { state.withLock { $0.playhead != nil } && moments != nil }

    /// A moment at which the picture after or before another one is shown; `nil` if it has none.
    func moment(ofPicture step: PictureStep, from moment: MonotonicTime) -> MonotonicTime? {
        rewindable?.moment(ofPicture: step, from: moment)
    }

    /// When a picture that it shows as the present was captured; `nil` if that is not known.
    func moment(of frame: VideoFrame?) -> MonotonicTime? {
        guard let time = frame?.presentationTime else { return nil }
        return (stream.source as? any PacketSource)?.packets.ring?.moment(ofPictureAt: time)
    }

    /// Shows another moment, if it can, or the present.
    func show(_ playhead: Playhead?) {
        state.withLock { state in
            guard state.phase == .open, playhead != state.playhead, let rewindable,
                playhead == nil || rewindable.moments != nil
            else { return }
            do throws(StreamError) {
                try rewindable.show(playhead)
                state.playhead = playhead
            } catch {
                // It goes on with the present, as its tile says, and is asked again.
            }
        }
    }

    /// Pauses or resumes the stream.
    func setPaused(_ isPaused: Bool) {
        do throws(StreamError) {
            try state.withLock { (state) throws(StreamError) in
                guard isPaused != state.isPaused else { return }
                state.isPaused = isPaused
                guard state.phase == .open else { return }
                if isPaused {
                    stream.stop()
                } else if log.condition != .ended {
                    // A stream that has ended would start again.
                    try stream.start()
                }
            }
        } catch {
            fail(error)
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

    private func fail(_ error: StreamError) {
        let condition = SourceCondition.failed(error.description, code: error.code)
        for sink in sinks.withLock(\.self) { sink.sourceDidChange(condition) }
        log.note(condition)
    }
}

import MediaIO

/// Puts the frames of an input into the mailbox of one tile, with what the tile's options set.
///
/// A frame that the options do not fit, such as one that is smaller than its crop, is left out; the tile says why.
///
/// **Thread:** that of the source. **Cost:** every frame; the mailbox's.
final class TileSink: VideoSink {
    /// The tile's mailbox.
    let mailbox: FrameMailbox
    /// What the tile's options set, and the last frame's attributes without it.
    private let settings: Monitor<(adjustment: InputAdjustment, own: FrameAttributes?)>
    /// Why the last frame was left out; used only in the source's calls, which come one at a time.
    nonisolated(unsafe) private var problem: String?

    /// - Parameters:
    ///   - mailbox: the tile's mailbox.
    ///   - adjustment: what the tile's options set.
    init(_ mailbox: FrameMailbox, _ adjustment: InputAdjustment) {
        self.mailbox = mailbox
        settings = Monitor((adjustment, nil))
    }

    /// Changes what the tile's options set, from the next frame on.
    ///
    /// - Returns: the attributes of the last frame without any options; `nil` before the first.
    func set(_ adjustment: InputAdjustment) -> FrameAttributes? {
        settings.withLock { settings in
            settings.adjustment = adjustment
            return settings.own
        }
    }

    /// The attributes of the last frame without any options; `nil` before the first.
    var ownAttributes: FrameAttributes? { settings.withLock(\.own) }

    var demand: SinkDemand? { mailbox.demand }

    func consume(_ frame: VideoFrame) {
        var frame = frame
        let adjustment = settings.withLock { settings in
            settings.own = frame.attributes
            return settings.adjustment
        }
        do throws(StreamError) {
            try adjustment.adjust(&frame)
            problem = nil
            mailbox.consume(frame)
        } catch {
            guard problem != error.description else { return }
            problem = error.description
            adjustment.report(error)
            mailbox.sourceDidChange(.failed(error.description, code: error.code))
        }
    }

    func sourceDidOmit(_ count: Int) { mailbox.sourceDidOmit(count) }

    func sourceDidChange(_ condition: SourceCondition) {
        problem = nil
        mailbox.sourceDidChange(condition)
    }

    func sourceDidSwitch() { mailbox.sourceDidSwitch() }
    func initialize() throws(StreamError) { try mailbox.initialize() }
    func dispose() { mailbox.dispose() }
}

import MediaIO

/// Puts the frames of an input into the mailbox of one tile, with what the tile's options set.
///
/// A frame that the options do not fit, such as one that is smaller than its crop, is left out; the tile says why.
///
/// **Thread:** that of the source. **Cost:** every frame; the mailbox's.
final class TileSink: VideoSink {
    /// The tile's mailbox.
    let mailbox: FrameMailbox
    private let adjustment: InputAdjustment
    /// Why the last frame was left out; used only in the source's calls, which come one at a time.
    nonisolated(unsafe) private var problem: String?

    /// - Parameters:
    ///   - mailbox: the tile's mailbox.
    ///   - adjustment: what the tile's options set.
    init(_ mailbox: FrameMailbox, _ adjustment: InputAdjustment) {
        (self.mailbox, self.adjustment) = (mailbox, adjustment)
    }

    var demand: SinkDemand? { mailbox.demand }

    func consume(_ frame: VideoFrame) {
        var frame = frame
        do throws(StreamError) {
            try adjustment.adjust(&frame)
            problem = nil
            mailbox.consume(frame)
        } catch {
            guard problem != error.description else { return }
            problem = error.description
            adjustment.report(error)
            mailbox.sourceDidChange(.failed(error.description))
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

import Logging
import MediaIO
import VideoWall

/// One input of an offscreen wall: its tile, and the reader that its frames are pulled from.
///
/// **Thread:** render thread.
final class RenderInput {
    /// The tile that shows the frames.
    let tile: WallTile
    /// The description of the stream, or `nil` if it could not be opened.
    private(set) var info: StreamInfo?
    private var timeline: FrameTimeline?
    private var isOver = false
    private var hasReportedUpload = false

    /// Makes a tile; nothing is opened yet.
    init(_ specification: InputSpecification, _ style: PictureStyle) {
        tile = style.makeTile(specification, FrameMailbox())
    }

    /// Opens the input and finds the frame that is shown at `start`.
    ///
    /// - Throws: ``StreamError``, which the tile shows, too.
    func open(
        _ specification: InputSpecification, at start: Duration, limit: Int, _ logger: Logger
    ) throws(StreamError) {
        do throws(StreamError) {
            let reader = try specification.open(startingAt: start, limit: limit, logger: logger)
            let timeline = FrameTimeline(reader)
            info = timeline.info
            if let frame = timeline.take(at: start) { tile.mailbox.put(frame) }
            if timeline.isEmpty {
                if let failure = timeline.failure { throw failure }
                throw StreamError(.malformed, "\(specification.name) has no frame to show.")
            }
            self.timeline = timeline
        } catch {
            tile.mailbox.sourceDidChange(.failed(error.description))
            throw error
        }
    }

    /// Shows the frame at `time` on the tile, if it is a new one.
    ///
    /// - Throws: ``StreamError`` once, when reading has failed and all frames read before are used up.
    func advance(to time: Duration) throws(StreamError) {
        guard let timeline, !isOver else { return }
        if let frame = timeline.take(at: time) { tile.mailbox.put(frame) }
        guard timeline.hasEnded(at: time) else { return }
        isOver = true
        // The end of an input needs no message in a file: its last frame stays.
        guard let failure = timeline.failure else { return }
        tile.mailbox.sourceDidChange(.failed(failure.description))
        throw failure
    }

    /// Checks whether the newest frame could be drawn.
    ///
    /// - Throws: ``StreamError`` once, when a frame is too large for OpenGL, or an effect does not compile.
    func checkUpload() throws(StreamError) {
        guard !hasReportedUpload, let failure = tile.report.failure ?? tile.report.effectFailure?.description else {
            return
        }
        hasReportedUpload = true
        throw StreamError(.unsupported, "\(tile.name): \(failure)")
    }

    /// Whether no further frame will come.
    var hasEnded: Bool { timeline == nil || isOver }
}

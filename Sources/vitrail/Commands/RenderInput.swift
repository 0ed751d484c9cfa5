import Logging
import MediaIO
import VideoWall

/// One input of an offscreen wall: its tile, and the reader that is pulled along the time line.
///
/// **Thread:** render thread.
final class RenderInput {
    /// Where the pictures go.
    let tile: WallTile
    /// What is known of the stream, or `nil` when it could not be opened.
    private(set) var info: StreamInfo?
    private var timeline: FrameTimeline?
    private var isOver = false
    private var hasToldUpload = false

    /// Makes a tile; nothing is opened yet.
    init(_ specification: InputSpecification, _ style: PictureStyle) {
        tile = style.makeTile(specification, FrameMailbox())
    }

    /// Opens the input and finds the picture that is shown at `start`.
    ///
    /// - Throws: ``StreamError``; the tile says it, too.
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
                throw StreamError(.malformed, "\(specification.name) has no picture to show.")
            }
            self.timeline = timeline
        } catch {
            tile.mailbox.sourceDidChange(.failed(error.description))
            throw error
        }
    }

    /// Puts the picture of that moment on the tile, if it is a new one.
    ///
    /// - Throws: ``StreamError`` once, when reading has broken off and what was read is used up.
    func advance(to time: Duration) throws(StreamError) {
        guard let timeline, !isOver else { return }
        if let frame = timeline.take(at: time) { tile.mailbox.put(frame) }
        guard timeline.hasEnded(at: time) else { return }
        isOver = true
        // That an input has ended is no news in a file: its last picture stays as it is.
        guard let failure = timeline.failure else { return }
        tile.mailbox.sourceDidChange(.failed(failure.description))
        throw failure
    }

    /// Looks whether the newest picture could be drawn.
    ///
    /// - Throws: ``StreamError`` once, when a picture is too large for OpenGL.
    func checkUpload() throws(StreamError) {
        guard let failure = tile.report.failure, !hasToldUpload else { return }
        hasToldUpload = true
        throw StreamError(.unsupported, "\(tile.name): \(failure)")
    }

    /// Whether no other picture will come.
    var hasEnded: Bool { timeline == nil || isOver }
}

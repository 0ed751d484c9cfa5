import Logging
import MediaIO
import VideoWall

/// One input of an offscreen wall: its tiles, and the reader that its frames are pulled from.
///
/// **Thread:** render thread.
final class RenderInput {
    /// The tiles that show the frames, at least one.
    let tiles: [WallTile]
    /// The description of the stream, or `nil` if it could not be opened.
    private(set) var info: StreamInfo?
    private var timeline: FrameTimeline?
    private var isOver = false
    private var hasReportedUpload = false

    /// Shows an input on some tiles; nothing is opened yet.
    init(on tiles: [WallTile]) { self.tiles = tiles }

    /// Opens the input and finds the frame that is shown at `start`.
    ///
    /// - Throws: ``StreamError``, which the tile shows, too.
    func open(
        _ specification: InputSpecification, at start: Duration, limit: Int, _ shared: SharedDecoding, _ logger: Logger
    ) throws(StreamError) {
        do throws(StreamError) {
            let input = try specification.open(
                startingAt: start, limit: SizeLimit(limit), shared: shared, log: OnceLog(logger))
            let timeline = FrameTimeline(input.reader, input.adjustment)
            info = input.info
            if let frame = timeline.take(at: start) { put(frame) }
            if timeline.isEmpty {
                if let failure = timeline.failure { throw failure }
                throw StreamError(.malformed, "\(specification.name) has no frame to show.")
            }
            self.timeline = timeline
        } catch {
            fail(error)
            throw error
        }
    }

    /// Shows the frame at `time` on the tile, if it is a new one.
    ///
    /// - Throws: ``StreamError`` once, when reading has failed and all frames read before are used up.
    func advance(to time: Duration) throws(StreamError) {
        guard let timeline, !isOver else { return }
        if let frame = timeline.take(at: time) { put(frame) }
        guard timeline.hasEnded(at: time) else { return }
        isOver = true
        // The end of an input needs no message in a file: its last frame stays.
        guard let failure = timeline.failure else { return }
        fail(failure)
        throw failure
    }

    /// Checks whether the newest frame could be drawn.
    ///
    /// - Throws: ``StreamError`` once, when a frame is too large for OpenGL, or an effect does not compile.
    func checkUpload() throws(StreamError) {
        guard !hasReportedUpload else { return }
        for tile in tiles {
            guard let failure = tile.report.failure ?? tile.report.effectFailure?.description else { continue }
            hasReportedUpload = true
            throw StreamError(.unsupported, "\(tile.name): \(failure)")
        }
    }

    private func put(_ frame: VideoFrame) { for tile in tiles { tile.mailbox.put(frame) } }

    private func fail(_ error: StreamError) {
        for tile in tiles { tile.mailbox.sourceDidChange(.failed(error.description, code: error.code)) }
    }

    /// Whether no further frame will come.
    var hasEnded: Bool { timeline == nil || isOver }
}

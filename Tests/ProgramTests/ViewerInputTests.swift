import FFmpegMedia
import MediaIO
import Testing

@testable import VideoWall
@testable import vitrail

/// When the tile of a dropped file goes away by itself.
///
/// Nothing is opened: the tests say what became of the stream, and what time it is.
struct ViewerInputTests {
    private let start = ContinuousClock().now
    private let tile = WallTile(name: "a.y4m")

    private func input(isDropped: Bool = true) throws -> ViewerInput {
        let stream = ViewerStream(
            try InputSpecification("a.y4m"), [tile.mailbox], limit: 4096, SharedDecoding(slots: DecodingSlots()),
            LineLogHandler.logger())
        return ViewerInput(stream: stream, tiles: [tile], isDropped: isDropped)
    }

    private func frame() throws -> VideoFrame {
        VideoFrame(try PixelBuffer(format: .gray8, size: VideoSize(width: 16, height: 9)) { _ in })
    }

    /// When the input is removed, after `seconds` in which it was as it is.
    private func removal(_ input: inout ViewerInput, after seconds: Int...) -> Duration? {
        for second in seconds { input.noteRemoval(now: start + .seconds(second)) }
        return input.removal.map { start.duration(to: $0) }
    }

    @Test(
        "One that failed or ended without a frame goes away 8 s later",
        arguments: [.failed("no"), .ended] as [SourceCondition])
    func broken(_ condition: SourceCondition) throws {
        var input = try input()
        tile.mailbox.sourceDidChange(condition)
        let removal = removal(&input, after: 0, 7, 9)
        #expect(removal == .seconds(8))
    }

    @Test("One whose frames cannot be drawn goes away 8 s later")
    func undrawable() throws {
        var input = try input()
        tile.mailbox.sourceDidChange(.live)
        tile.mailbox.put(try frame())
        tile.report.failure = "too large"
        let removal = removal(&input, after: 1, 2)
        #expect(removal == .seconds(9))
    }

    @Test(
        "One that has shown a frame stays, whatever becomes of it",
        arguments: [.live, .failed("no"), .ended, .waiting("lost")] as [SourceCondition])
    func shown(_ condition: SourceCondition) throws {
        var input = try input()
        tile.mailbox.put(try frame())
        tile.report.uploaded = 1
        tile.report.failure = "too large"
        tile.mailbox.sourceDidChange(condition)
        let removal = removal(&input, after: 0, 9)
        #expect(removal == nil)
    }

    @Test("One that waits stays; so does one that was named, and one that was broken for a while only")
    func stays() throws {
        var (dropped, named) = (try input(), try input(isDropped: false))
        tile.mailbox.sourceDidChange(.waiting("not yet"))
        let waiting = removal(&dropped, after: 0)
        tile.mailbox.sourceDidChange(.failed("no"))
        let (broken, other) = (removal(&dropped, after: 1), removal(&named, after: 1, 9))
        tile.mailbox.sourceDidChange(.live)
        let live = removal(&dropped, after: 10)
        #expect(waiting == nil && broken == .seconds(9) && other == nil && live == nil)
    }
}

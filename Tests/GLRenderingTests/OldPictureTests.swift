import MediaIO
import TestSupport
import Testing

@testable import VideoWall

/// The last picture of a source that is lost or silent, as both renderers draw it.
@Suite(.everyRenderer, .renderTurn) struct OldPictureTests {
    private let size = VideoSize(width: 480, height: 270)

    /// The bytes of the rows that no text covers.
    private func rows(_ picture: RGBAImage) -> Range<Int> { 0..<90 * picture.size.width * 4 }

    private func noise(_ format: PixelFormat = .i420) throws -> VideoFrame {
        VideoFrame(try TestPicture.noise(format, VideoSize(width: 480, height: 270)).buffer())
    }

    @Test(arguments: [PixelFormat.i420, .rgba32, .p010], [false, true])
    func eachCodeValueIsMultipliedBy35Percent(_ format: PixelFormat, _ hasEffect: Bool) throws {
        let test = try TestWall()
        let tile = test.add(try noise(format))
        if hasEffect {
            let text = "vec4 effect(vec2 uv) { return vec4(1.0 - sample(uv).rgb, 1.0); }"
            tile.effects = EffectChain([try Effect(text, file: "inverted")])
        }
        let bright = try test.picture(size)
        tile.mailbox.sourceDidChange(.waiting("lost"))
        let dim = try test.picture(size)
        // The largest difference from 0.35 times each value, rounded.
        var (worst, brightest) = (0, 0)
        for index in rows(bright) where index % 4 < 3 {
            let wanted = Int((Double(bright.bytes[index]) * 0.35).rounded())
            worst = max(worst, abs(Int(dim.bytes[index]) - wanted))
            brightest = max(brightest, Int(bright.bytes[index]))
        }
        #expect(worst <= 1 && brightest > 250)
        tile.mailbox.sourceDidChange(.live)
        #expect(try test.picture(size) == bright)
        tile.mailbox.sourceDidChange(.ended)
        let ended = try test.picture(size)
        #expect(ended.bytes[rows(ended)] == bright.bytes[rows(bright)])
    }

    @Test func onlyTheTilesOwnPixelsAreDimmed() throws {
        let test = try TestWall(layout: GridLayout(columns: 2))
        let tiles = try (0..<2).map { _ in test.add(try noise()) }
        let wide = VideoSize(width: 960, height: 270)
        let before = try test.picture(wide)
        tiles[1].mailbox.sourceDidChange(.failed("gone"))
        let after = try test.picture(wide)
        // The left halves of the first 90 rows, which no text covers, and the right ones.
        let rows = (0..<90).map { 4 * 960 * $0 }
        #expect(rows.allSatisfy { after.bytes[$0..<$0 + 4 * 480] == before.bytes[$0..<$0 + 4 * 480] })
        #expect(
            rows.allSatisfy { after.bytes[$0 + 4 * 480..<$0 + 4 * 960] != before.bytes[$0 + 4 * 480..<$0 + 4 * 960] })
    }

    @Test func anAgeIsDrawnOnceASecondAndAPresentPictureIsBack() throws {
        let test = try TestWall()
        let now = Monitor(MonotonicTime(sinceBoot: .seconds(1000)))
        test.wall.now = { now.withLock { $0 } }
        test.wall.tileLook.hasAges = true
        let tile = WallTile(name: "a", mailbox: FrameMailbox(now: { now.withLock { $0 } }))
        test.wall.insert(tile)
        let target = try test.renderer.makeOffscreenTarget(size: size)
        /// Draws, and returns how many of the pixels are those of letters.
        func draw() throws -> Int? {
            guard try test.renderer.render(test.wall, into: target) else { return nil }
            let bytes = try target.readPixels()
            return stride(from: 0, to: bytes.count, by: 4).count { bytes[$0] > 200 }
        }
        let dark = SamplePicture(
            format: .i420, size: VideoSize(width: 32, height: 18), luma: { _, _ in 100 }, cb: { _, _ in 128 },
            cr: { _, _ in 128 })
        tile.mailbox.put(VideoFrame(try dark.buffer()))
        tile.silenceLadder = SilenceLadder(late: .seconds(3), stalled: .seconds(3))
        #expect(try draw() == 0)
        now.withLock { $0 = $0 + .seconds(3) }
        #expect(try draw() ?? 0 > 300)
        let drawn = tile.statistics.drawn
        for _ in 0..<9 {
            now.withLock { $0 = $0 + .milliseconds(100) }
            #expect(try draw() == nil)
        }
        #expect(tile.statistics.drawn == drawn)
        now.withLock { $0 = $0 + .milliseconds(100) }
        #expect(try draw() ?? 0 > 300)
        #expect(tile.statistics.drawn == drawn + 1)
        tile.mailbox.put(VideoFrame(try dark.buffer()))
        #expect(try draw() == 0)
    }
}

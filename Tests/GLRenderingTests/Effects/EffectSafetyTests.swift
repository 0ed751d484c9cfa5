@preconcurrency import CVitrailEpoxy
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// Effects that take too long, and a driver that resets the GPU.
@Suite(.renderTurn) struct EffectSafetyTests {
    private static let size = VideoSize(width: 128, height: 36)
    /// Some hundred million sines.
    private static let slow = """
        //! param turns int 0 60000 60000
        vec4 effect(vec2 uv) {
            vec4 color = sample(uv);
            for (int i = 0; i < turns; i++) color.r += 1e-9 * sin(color.r + float(i));
            return vec4(1.0 - color.rgb, 1.0);
        }
        """
    private static let quick = "vec4 effect(vec2 uv) { return vec4(1.0 - sample(uv).rgb, 1.0); }"

    private static func frame() throws -> VideoFrame { VideoFrame(try TestPicture.noise(.rgb24, size).buffer()) }

    /// Draws pictures of new frames until the effects of a tile are bypassed, at most 40.
    private func draw(_ test: TestWall, until tile: WallTile) throws -> Int {
        for count in 0..<40 {
            if tile.effects.bypassReason != nil { return count }
            for tile in test.wall.tiles { tile.mailbox.put(try Self.frame()) }
            _ = try test.picture(Self.size)
        }
        return 40
    }

    @Test func onlyTheSlowTileIsBypassed() throws {
        let test = try TestWall()
        let slow = test.add(try Self.frame())
        let quick = test.add(try Self.frame())
        let plain = try test.picture(Self.size)
        slow.effects = EffectChain([try Effect(Self.slow, file: "slow.effect.glsl")])
        quick.effects = EffectChain([try Effect(Self.quick, file: "quick.effect.glsl")])
        test.wall.effectBudget = .milliseconds(60)
        // Three pictures are measured, and the last is known in the next.
        #expect(try draw(test, until: slow) <= 4)
        #expect(quick.effects.bypassReason == nil && slow.notice != nil)
        // In the middle of each tile: the plain picture, and the inverted one.
        slow.effects = EffectChain()
        let picture = try test.picture(Self.size)
        #expect(picture.pixel(32, 18) == plain.pixel(32, 18))
        #expect(picture.pixel(96, 18) == plain.pixel(96, 18).map { 255 - $0 })
        // With another value, it is quick enough.
        slow.effects = EffectChain([try Effect(Self.slow, file: "slow.effect.glsl")])
        _ = slow.effects.steps[0].set("turns", .int(1))
        #expect(try draw(test, until: slow) == 40)
    }

    @Test func effectsOnTheWallAreBypassed() throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        test.wall.effects = EffectChain([try Effect(Self.slow, file: "slow.effect.glsl")])
        test.wall.effectBudget = .milliseconds(60)
        for _ in 0..<5 {
            tile.mailbox.put(try Self.frame())
            _ = try test.picture(Self.size)
        }
        #expect(test.wall.effects.bypassReason?.hasPrefix("slow: bypassed") == true)
    }

    @Test func queriesTellTheTime() throws {
        let context = try HeadlessContext.forTests()
        let timer = EffectTimer(context, usesQueries: true)
        let target = try PassTarget(context, Self.size)
        func picture(pieces: Int) {
            timer.beginPicture(.seconds(1))
            for _ in 0..<pieces {
                timer.start()
                target.begin()
                context.clear(red: 1, green: 1, blue: 1)
                timer.stop()
            }
        }
        for pieces in [2, 3, 1, 2, 1] { picture(pieces: pieces) }
        #expect(timer.unfinishedSince != nil)
        context.finish()
        timer.beginPicture(.seconds(1))
        // A picture without a last draw does not count.
        #expect(timer.count == 3 && timer.time < .seconds(10) && timer.unfinishedSince == nil)
        // More pictures than are remembered while none is finished.
        for _ in 0..<10 { picture(pieces: 2) }
        context.finish()
        for _ in 0..<3 {
            picture(pieces: 2)
            context.finish()
        }
        #expect(timer.count > 6)
    }

    @Test func aResetIsNoticed() throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        #expect(test.context.information.noticesResets && !test.context.isLost)
        let plain = try test.picture(Self.size)
        let status = epoxy_glGetGraphicsResetStatus
        epoxy_glGetGraphicsResetStatus = { GLenum(GL_GUILTY_CONTEXT_RESET) }
        defer { epoxy_glGetGraphicsResetStatus = status }
        #expect { try test.picture(Self.size) } throws: { ($0 as? RenderingError)?.code == .contextLost }
        epoxy_glGetGraphicsResetStatus = status
        // Another renderer draws the same wall.
        let second = try TestWall()
        let target = try second.renderer.makeOffscreenTarget(size: Self.size)
        try second.renderer.render(test.wall, into: target)
        #expect(try target.readPixels() == plain.bytes && tile.report.failure == nil)
    }
}

import MediaIO
import Testing
import VideoWall

/// Effects that take too long are bypassed.
@Suite struct EffectBudgetTests {
    private final class Target: RenderTarget {
        let size = VideoSize(width: 320, height: 180)
        func invalidate() {}
    }

    /// A renderer that draws nothing, and reports what a test wants.
    private final class Reporter: WallRenderer {
        let name = "reporter"
        let maximumSide = 100
        var reports: [WallTile.ID: TileReport] = [:]

        func render(_ scene: WallScene, into target: any RenderTarget) -> Bool { true }
        func makeOffscreenTarget(size: VideoSize, format: PictureFormat) throws(RenderingError) -> any OffscreenTarget {
            throw RenderingError(.device, "nothing is drawn")
        }
        func report(on tile: WallTile.ID) -> TileReport { reports[tile] ?? TileReport() }
        func sample(atX x: Int, y: Int, of scene: WallScene) -> PixelSample? { nil }

        /// Reports the times of pictures, one after the other.
        func report(_ times: [Int], on tile: WallTile.ID, _ wall: Wall) throws {
            for time in times {
                reports[tile, default: TileReport()].effectTime = .milliseconds(time)
                reports[tile, default: TileReport()].effectTimes += 1
                try render(wall, into: Target())
            }
        }
    }

    private static func chain() throws -> EffectChain {
        let text = "vec4 effect(vec2 uv) { return sample(uv) * time + vec4(mouse, 0.0, 0.0); }"
        return EffectChain([try Effect(text, file: "slow.effect.glsl"), try Effect(text, file: "b.effect.glsl")])
    }

    private let wall = Wall()
    private let renderer = Reporter()

    @Test(arguments: [
        ([101, 101], false), ([101, 101, 101], true), ([101, 101, 99, 101, 101], false), ([1000], false),
        ([1001], true), ([99, 100, 1, 100], false), ([50, 200, 300, 400], true),
    ]) func threeSlowPicturesOrOneTenfold(_ times: [Int], _ isBypassed: Bool) throws {
        let tile = wall.addTile(named: "a")
        let other = wall.addTile(named: "b")
        (tile.effects, other.effects, wall.effects) = (try Self.chain(), try Self.chain(), try Self.chain())
        wall.effectBudget = .milliseconds(100)
        try renderer.report(times, on: tile.id, wall)
        #expect((tile.effects.bypassReason != nil) == isBypassed)
        #expect(tile.effects.isEmpty == isBypassed && tile.effects.isAnimated != isBypassed)
        #expect(tile.effects.followsMouse != isBypassed)
        #expect(wall.scene.tiles[0].effects == tile.effects)
        #expect(other.effects.bypassReason == nil && wall.effects.bypassReason == nil)
        guard isBypassed, let last = times.last else { return }
        #expect(tile.notice == "slow, b: bypassed, because a picture took \(last) ms of 100 ms")
        // Switched on again, it has another three pictures.
        tile.effects.bypassReason = nil
        #expect(tile.notice?.contains("bypassed") != true && !tile.effects.isEmpty)
        try renderer.report([101, 101], on: tile.id, wall)
        #expect(tile.effects.bypassReason == nil)
        try renderer.report([101], on: tile.id, wall)
        #expect(tile.effects.bypassReason != nil)
    }

    @Test func aPictureCountsOnce() throws {
        let tile = wall.addTile(named: "a")
        tile.effects = try Self.chain()
        wall.effectBudget = .milliseconds(100)
        try renderer.report([200], on: tile.id, wall)
        for _ in 0..<5 { try renderer.render(wall, into: Target()) }
        #expect(tile.effects.bypassReason == nil)
    }

    @Test func theWallHasABudgetOfItsOwn() throws {
        let tile = wall.addTile(named: "a")
        (tile.effects, wall.effects) = (try Self.chain(), try Self.chain())
        try renderer.report([5000, 5000, 5000], on: wall.id, wall)
        #expect(wall.effects.bypassReason == nil, "there was no budget")
        wall.effectBudget = .milliseconds(100)
        try renderer.report([5000], on: wall.id, wall)
        #expect(wall.effects.bypassReason != nil && wall.effects.isEmpty && wall.scene.effects.isEmpty)
        #expect(tile.effects.bypassReason == nil && wall.isAnimated)
    }
}

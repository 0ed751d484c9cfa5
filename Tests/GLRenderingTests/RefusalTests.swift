import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// A driver that does not take a program.
@Suite(.renderTurn) struct RefusalTests {
    @Test func whatNobodyCanDrawIsNotUploaded() throws {
        let wall = try TestWall()
        let size = VideoSize(width: 64, height: 36)
        let frame = try VideoFrame(SamplePicture.random(.nv12, VideoSize(width: 32, height: 18)).buffer())
        let tile = wall.add(frame)
        let shared = try SharedResources(wall.context, .direct)
        let programs = shared.programs
        let view = TargetView(size: size, topIsFirstRow: true)
        let textures = TileTextures(tile.id)
        func update() -> TileReport {
            wall.wall.update(size: size)
            textures.update(wall.wall.scene.tiles[0], wall.context, view, shared)
            return textures.report
        }
        #expect(update().uploaded == 1)
        let kind = try #require(programs.programs.keys.first)
        #expect(programs.programs.count == 1)

        let before = wall.context.textureCount
        let other = TileTextures(tile.id)
        programs.refusals[kind] = GLError(.compile, "no such function")
        other.update(wall.wall.scene.tiles[0], wall.context, view, shared)
        #expect(other.report.uploaded == 0 && other.report.failed == 1)
        #expect(other.report.failure?.contains("no such function") == true)
        #expect(wall.context.textureCount == before)
        // It is not tried again for each picture, but only when the tile needs another program.
        other.update(wall.wall.scene.tiles[0], wall.context, view, shared)
        #expect(other.report.failed == 1)
        tile.filter = .bilinear
        wall.wall.update(size: size)
        other.update(wall.wall.scene.tiles[0], wall.context, view, shared)
        #expect(other.report.uploaded == 1 && other.report.failure == nil)
    }
}

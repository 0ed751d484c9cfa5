import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import GLRendering

/// The programs that are kept for kinds of frames.
@Suite(.renderTurn, .timeLimit(.minutes(25))) struct ProgramCacheTests {
    private let size = VideoSize(width: 64, height: 36)

    private func update(_ textures: [TileTextures], _ wall: TestWall, _ shared: borrowing SharedResources) {
        wall.wall.update(size: size)
        let view = TargetView(size: size, topIsFirstRow: true)
        for (textures, tile) in zip(textures, wall.wall.scene.tiles) {
            textures.update(tile, wall.context, view, shared)
        }
    }

    private func frame(_ format: PixelFormat) throws -> VideoFrame {
        try VideoFrame(SamplePicture.random(format, VideoSize(width: 32, height: 18)).buffer())
    }

    @Test("A tile that shows one kind of frame after the other leaves a bounded number of programs")
    func unusedProgramsAreReleased() throws {
        let wall = try TestWall()
        let shared = try SharedResources(wall.context, .direct)
        shared.programs.idleTime = .zero
        let tile = wall.add(try frame(.i420))
        let textures = TileTextures(tile.id)
        var kinds: Set<VideoProgram.Kind> = []
        for format in PixelFormat.drawn.prefix(VideoPrograms.mostPrograms + 8) {
            tile.mailbox.put(try frame(format))
            update([textures], wall, shared)
            #expect(textures.report.failure == nil)
            kinds.formUnion(shared.programs.programs.keys)
            #expect(shared.programs.programs.count <= VideoPrograms.mostPrograms)
        }
        #expect(kinds.count > VideoPrograms.mostPrograms)
    }

    @Test("Programs that are in use stay, however many there are")
    func usedProgramsStay() throws {
        let wall = try TestWall()
        let shared = try SharedResources(wall.context, .direct)
        shared.programs.idleTime = .zero
        let formats = Array(PixelFormat.drawn.prefix(VideoPrograms.mostPrograms + 8))
        let textures = try formats.map { TileTextures(wall.add(try frame($0)).id) }
        update(textures, wall, shared)
        let made = shared.programs.programs.mapValues(ObjectIdentifier.init)
        #expect(made.count == formats.count)
        for (tile, format) in zip(wall.wall.tiles, formats) { tile.mailbox.put(try frame(format)) }
        update(textures, wall, shared)
        #expect(shared.programs.programs.mapValues(ObjectIdentifier.init) == made)
    }

    @Test("Kinds that a tile shows in turn are not made again and again")
    func programsInTurnStay() throws {
        let wall = try TestWall()
        let shared = try SharedResources(wall.context, .direct)
        let tile = wall.add(try frame(.i420))
        let textures = TileTextures(tile.id)
        let formats = PixelFormat.drawn.prefix(VideoPrograms.mostPrograms + 8)
        var made: [VideoProgram.Kind: ObjectIdentifier] = [:]
        for round in 0..<2 {
            for format in formats {
                tile.mailbox.put(try frame(format))
                update([textures], wall, shared)
            }
            if round == 0 { made = shared.programs.programs.mapValues(ObjectIdentifier.init) }
        }
        #expect(made.count == formats.count)
        #expect(shared.programs.programs.mapValues(ObjectIdentifier.init) == made)
    }
}

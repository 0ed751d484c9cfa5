import MediaIO
import Testing
import VideoWall

/// What a wall wants for its tiles.
struct WantsTests {
    static func wants(_ tile: WallTile) -> VideoSinkWants? { tile.mailbox.demand?.wants }

    @Test func tilesWantTheirPixels() throws {
        let wall = Wall(layout: GridLayout())
        let tiles = (0..<4).map { wall.addTile(named: "\($0)") }
        #expect(Self.wants(tiles[0]) == .everything)
        for tile in tiles { tile.mailbox.put(try frame()) }
        wall.update(size: screen)
        for tile in tiles { #expect(Self.wants(tile) == VideoSinkWants(maximumPixels: 320 * 180)) }
        wall.focus = tiles[1].id
        wall.update(size: screen)
        #expect(Self.wants(tiles[0]) == .nothing)
        #expect(Self.wants(tiles[1])?.isVisible == true)
        #expect(try #require(Self.wants(tiles[1])?.maximumPixels) >= 640 * 360)
        wall.focus = nil
        wall.isVisible = false
        for tile in tiles { #expect(Self.wants(tile) == .nothing) }
        wall.update(size: screen)
        #expect(Self.wants(tiles[0]) == .nothing)
        wall.isVisible = true
        wall.update(size: screen)
        #expect(Self.wants(tiles[0]) == VideoSinkWants(maximumPixels: 320 * 180))
        // Without a wall, the wants are those that the mailbox's owner has set.
        wall.remove(tiles[0])
        #expect(Self.wants(tiles[0]) == .everything)
    }

    /// Half of the picture is cut off by its frame, and half of the rest by the tile.
    @Test func whatIsCutOffCounts() throws {
        let wall = Wall(layout: GridLayout())
        let tile = wall.addTile(named: "cut")
        tile.contentMode = .fill
        var cropped = try frame(64, 64)
        cropped.attributes.crop = Rectangle(x: 0, y: 0, width: 32, height: 64)
        tile.mailbox.put(cropped)
        wall.update(size: VideoSize(width: 100, height: 100))
        #expect(Self.wants(tile)?.maximumPixels == 100 * 100 * 4)
    }

    /// A source is not bothered with each pixel while a window is resized.
    @Test func resizingChangesLittle() {
        let wall = Wall()
        let tile = wall.addTile(named: "resized")
        var seen: [VideoSinkWants] = []
        for width in Array(200...800) + Array((200...800).reversed()) {
            wall.update(size: VideoSize(width: width, height: width * 9 / 16))
            guard let wants = Self.wants(tile), wants != seen.last else { continue }
            seen.append(wants)
        }
        #expect(seen.count < 16)
    }

    /// Two walls show the same tile: the larger wants count, and a wall that is gone has none.
    @Test func theLargestOfSeveralWallsCounts() {
        let tile = WallTile(name: "shared")
        let small = Wall()
        small.insert(tile)
        small.update(size: VideoSize(width: 160, height: 90))
        do {
            let large = Wall()
            large.insert(tile)
            large.update(size: VideoSize(width: 1600, height: 900))
            #expect(Self.wants(tile)?.maximumPixels == 1600 * 900)
        }
        #expect(Self.wants(tile)?.maximumPixels == 160 * 90)
        #expect(small.tiles.count == 1)
    }
}

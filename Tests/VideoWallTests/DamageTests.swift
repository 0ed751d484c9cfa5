import MediaIO
import TestSupport
import Testing
import VideoWall

/// The damage that scenes report, and what targets redraw because of it.
struct DamageTests {
    @Test func onlyTheTilesThatChangedAreDamaged() throws {
        let wall = Wall(layout: GridLayout(rows: 2, columns: 2), text: StubPainter())
        let tiles = (0..<4).map { wall.addTile(named: "\($0)") }
        for tile in tiles { tile.mailbox.put(try frame(160, 90)) }
        #expect(wall.update(size: screen))
        #expect(wall.scene.damage.contains(wall.scene.bounds))
        let number = wall.scene.number
        let rectangles = wall.scene.tiles.map(\.rectangle)

        tiles[2].mailbox.put(try frame(160, 90))
        #expect(wall.update(size: screen))
        #expect(wall.scene.damage == [rectangles[2]] && wall.scene.number == number + 1)
        // Nothing is new: the scene and its damage stay the same.
        #expect(!wall.update(size: screen))
        #expect(wall.scene.damage == [rectangles[2]] && wall.scene.number == number + 1)

        let changes: [(WallTile) -> Void] = [
            { $0.filter = .lanczos }, { $0.mirror = .both }, { $0.rotation = .clockwise180 }, { $0.label = "label" },
            { $0.scalesInLinearLight = true }, { $0.colorOverride = ColorOverride(range: .full) },
            { $0.mailbox.sourceDidChange(.failed("gone")) }, { $0.clear() },
        ]
        for (index, change) in changes.enumerated() {
            change(tiles[1])
            #expect(wall.update(size: screen), "change \(index)")
            #expect(wall.scene.damage == [rectangles[1]], "change \(index)")
        }
    }

    @Test func overlaysAndColorsOfTheWholeWall() throws {
        let wall = Wall(text: StubPainter())
        wall.addTile(named: "tile")
        wall.update(size: screen)
        wall.overlay = "overlay"
        #expect(wall.update(size: screen))
        let bounds = try #require(wall.scene.overlays.first).bounds
        #expect(wall.scene.damage == [bounds] && bounds.width < screen.width)
        wall.overlay = nil
        #expect(wall.update(size: screen))
        #expect(wall.scene.damage == [bounds])
        wall.colorConversion = .off
        #expect(wall.update(size: screen))
        #expect(wall.scene.damage == [wall.scene.bounds])
    }

    @Test func overlaysOfATileDamageTheTile() {
        let wall = Wall(layout: GridLayout(columns: 2))
        let tiles = (0..<2).map { wall.addTile(named: "\($0)") }
        wall.update(size: screen)
        var mark = WallOverlay(image(), x: 3, y: 5)
        let changes: [(WallTile) -> Void] = [
            { $0.overlays = [mark] }, { $0.overlays[0].x = 1 }, { $0.overlays[0].color.x = 0 }, { $0.overlays = [] },
        ]
        for (index, change) in changes.enumerated() {
            change(tiles[1])
            #expect(wall.hasChanges && wall.update(size: screen), "change \(index)")
            #expect(wall.scene.damage == [wall.scene.tiles[1].rectangle], "change \(index)")
            #expect(!wall.hasChanges && !wall.update(size: screen))
        }
        mark.x += 1
        tiles[1].overlays = [mark]
        wall.update(size: screen)
        let rectangle = wall.scene.tiles[1].rectangle
        #expect(wall.scene.tiles[1].overlays.map(\.x) == [rectangle.x + 4])
        #expect(wall.scene.tiles[1].overlays.map(\.y) == [rectangle.y + 5])
    }

    @Test func overlaysOfTheWallDamageTheirPixels() {
        let wall = Wall(text: StubPainter())
        wall.addTile(named: "tile")
        wall.update(size: screen)
        var (first, second) = (WallOverlay(image(), x: 20, y: 10, margin: 2), WallOverlay(image(), x: -4, y: 350))
        let clipped = Rectangle(x: 0, y: 350, width: 4, height: 8)
        func damage(_ overlays: [WallOverlay]) -> [Rectangle] {
            wall.overlays = overlays
            #expect(wall.hasChanges && wall.update(size: screen))
            #expect(!wall.hasChanges && !wall.update(size: screen))
            return wall.scene.damage
        }
        #expect(damage([first]) == [first.bounds])
        #expect(damage([first, second]) == [clipped])
        let old = first.bounds
        first.x += 50
        #expect(damage([first, second]) == [old, first.bounds])
        second.color.w = 0.5
        #expect(damage([first, second]) == [clipped, clipped])
        #expect(damage([second, first]) == [first.bounds, clipped, clipped, first.bounds])
        wall.overlay = "text"
        wall.update(size: screen)
        #expect(wall.scene.overlays.count == 3 && wall.scene.overlays.dropLast() == [second, first])
        wall.overlay = nil
        wall.update(size: screen)
        #expect(damage([]) == [clipped, first.bounds])
        // An overlay outside the wall causes no damage.
        first.x = 5000
        wall.overlays = [first]
        #expect(!wall.update(size: screen))
    }

    private func image() -> CoverageImage {
        CoverageImage([UInt8](repeating: 255, count: 64), size: VideoSize(width: 8, height: 8), bytesPerRow: 8)
    }

    @Test func aPictureOfAnotherShapeMovesTheOthers() throws {
        let wall = Wall()
        let tiles = (0..<2).map { wall.addTile(named: "\($0)") }
        for tile in tiles { tile.mailbox.put(try frame(160, 90)) }
        wall.update(size: VideoSize(width: 300, height: 400))
        let before = wall.scene.tiles.map(\.rectangle)
        for tile in tiles { tile.mailbox.put(try frame(90, 400)) }
        wall.update(size: VideoSize(width: 300, height: 400))
        let after = wall.scene.tiles.map(\.rectangle)
        #expect(before != after)
        for rectangle in before + after { #expect(wall.scene.damage.contains(rectangle)) }
    }

    /// A model: every tile of each of several buffers remembers which frame it shows.
    ///
    /// At random the wall is brought up to date several times before it is drawn, drawn several times before it is
    /// presented, and presented without being drawn.
    @Test(arguments: [1, 2, 3, 5]) func whatIsDrawnMakesUpForOldBuffers(_ buffers: Int) throws {
        let wall = Wall(layout: GridLayout(rows: 2, columns: 2))
        let tiles = (0..<4).map { wall.addTile(named: "\($0)") }
        var random = SeededGenerator(seed: UInt64(buffers))
        var shown = [[Int]](repeating: [-1, -1, -1, -1], count: buffers)
        var history = DamageHistory()
        var parts: [Rectangle] = []
        var extents: [DamageHistory.Extent: Int] = [:]
        var presents = 0
        for step in 0..<2000 {
            for _ in 0..<[1, 1, 2, 4][step % 4] {
                for tile in tiles where Int.random(in: 0..<4, using: &random) == 0 {
                    tile.mailbox.put(try frame(160, 90))
                }
                wall.update(size: screen)
            }
            if Int.random(in: 0..<8, using: &random) == 0 { presents += 1 }
            let isKnown = presents >= buffers && Int.random(in: 0..<20, using: &random) > 0
            let extent = history.draw(wall.scene, presentCount: presents, age: isKnown ? buffers : 0, &parts)
            extents[extent, default: 0] += 1
            if extent == .nothing { continue }
            let wanted = wall.scene.tiles.map(\.frameNumber)
            for (index, tile) in wall.scene.tiles.enumerated()
            where extent == .all || parts.contains(where: tile.rectangle.intersects) {
                shown[presents % buffers][index] = tile.frameNumber
            }
            try #require(shown[presents % buffers] == wanted, "step \(step)")
            if Int.random(in: 0..<8, using: &random) > 0 { presents += 1 }
        }
        #expect(extents[.parts, default: 0] > 200 && extents[.all, default: 0] > 20, "\(extents)")
    }

    @Test func aTargetMakesUpForTheScenesThatItMissed() throws {
        let wall = Wall()
        let tile = wall.addTile(named: "tile")
        var history = DamageHistory()
        var parts: [Rectangle] = []
        var presents = 0
        func draw(_ age: Int = 1) -> DamageHistory.Extent {
            presents += 1
            return history.draw(wall.scene, presentCount: presents, age: age, &parts)
        }
        func change(_ count: Int = 1) throws {
            for _ in 0..<count {
                tile.mailbox.put(try frame())
                wall.update(size: screen)
            }
        }
        try change()
        #expect(draw() == .all)
        #expect(history.draw(wall.scene, presentCount: presents, age: 1, &parts) == .nothing)
        try change()
        #expect(draw() == .parts)
        // What has changed several times is drawn once.
        try change(8)
        #expect(draw() == .parts && parts == [wall.scene.tiles[0].rectangle])
        try change(9)
        #expect(draw() == .all && parts.isEmpty)
        try change()
        #expect(draw(0) == .all)
        try change()
        #expect(draw(9) == .all)
        // Drawn again before the present.
        try change()
        #expect(history.draw(wall.scene, presentCount: presents, age: 0, &parts) == .parts)
        history.invalidate()
        #expect(draw() == .all)
        let other = Wall()
        other.update(size: screen)
        #expect(history.draw(other.scene, presentCount: presents, age: 1, &parts) == .all)
    }
}

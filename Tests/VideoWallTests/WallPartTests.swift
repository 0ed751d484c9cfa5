import MediaIO
import TestSupport
import Testing
import VideoWall

/// One wall on several screens.
struct WallPartTests {
    @Test func partsAreRead() {
        let part = WallPart("3x2+1+0")
        #expect(part == WallPart(columns: 3, rows: 2, column: 1, row: 0) && part?.description == "3x2+1+0")
        #expect(WallPart("1x1+0+0") == .whole && WallPart("64x64+63+63") != nil)
        for text in [
            "", "2x2", "2x2+2+0", "2x2+0+2", "0x1+0+0", "65x1+0+0", "2x2+-1+0", "2x2+0+0 ", "9999999999x1+0+0",
        ] {
            #expect(WallPart(text) == nil, "\(text)")
        }
    }

    @Test func theWholeWallLiesAroundThePicture() {
        var part = WallPart(columns: 3, rows: 2, column: 1, row: 1)
        #expect(part.area(around: screen) == Rectangle(x: -640, y: -360, width: 1920, height: 720))
        part.bezel = 10
        #expect(part.area(around: screen) == Rectangle(x: -650, y: -370, width: 1940, height: 730))
        #expect(WallPart.whole.area(around: screen) == Rectangle(x: 0, y: 0, width: 640, height: 360))
    }

    /// A wall of 3 by 3 tiles on 2 by 2 screens: each shows what belongs there, the tile in the middle is on all.
    @Test func tilesAreWhereTheWholeWallHasThem() throws {
        let whole = Wall(layout: GridLayout(rows: 3, columns: 3, gap: 7))
        for index in 0..<9 { whole.addTile(named: "\(index)") }
        whole.update(size: VideoSize(width: 2 * 640 + 30, height: 2 * 360 + 30))
        var seen = [Int](repeating: 0, count: 9)
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let wall = Wall(layout: GridLayout(rows: 3, columns: 3, gap: 7))
            wall.part = WallPart(columns: 2, rows: 2, column: column, row: row, bezel: 30)
            for index in 0..<9 { wall.addTile(named: "\(index)") }
            wall.update(size: screen)
            for (index, tile) in wall.scene.tiles.enumerated() {
                var expected = whole.scene.tiles[index].rectangle
                (expected.x, expected.y) = (expected.x - column * 670, expected.y - row * 390)
                #expect(wall.destinations[index] == expected)
                #expect(tile.isVisible == expected.intersects(wall.scene.bounds))
                if tile.isVisible { #expect(tile.rectangle == expected) }
                // What another screen shows costs this one nothing.
                #expect((WantsTests.wants(wall.tiles[index]) == .nothing) == !tile.isVisible)
                if tile.isVisible { seen[index] += 1 }
            }
            wall.focus = wall.tiles[5].id
            wall.update(size: screen)
            #expect(wall.scene.tiles[5].rectangle == wall.area)
            #expect(wall.scene.tiles.count { $0.isVisible } == 1)
        }
        #expect(seen == [1, 2, 1, 2, 4, 2, 1, 2, 1])
    }

    @Test func anotherPartIsAChange() {
        let wall = Wall(layout: GridLayout(rows: 1, columns: 2))
        for index in 0..<2 { wall.addTile(named: "\(index)") }
        wall.update(size: screen)
        #expect(!wall.hasChanges)
        wall.part = WallPart(columns: 2, rows: 1, column: 1, row: 0)
        #expect(wall.hasChanges && wall.update(size: screen))
        #expect(!wall.scene.tiles[0].isVisible && wall.scene.tiles[1].rectangle == wall.scene.bounds)
        wall.part = .whole
        wall.update(size: screen)
        #expect(wall.scene.tiles.allSatisfy { $0.isVisible })
    }

    /// A tile that moves from one screen to the other is on both on the way.
    @Test func tilesMoveFromScreenToScreen() {
        let walls = (0..<2).map { column in
            let test = MovingWall(GridLayout(rows: 1, columns: 2), 2)
            test.wall.part = WallPart(columns: 2, rows: 1, column: column, row: 0)
            test.wall.update(size: screen)
            test.pass(.seconds(1))
            test.wall.move(test.wall.tiles[1], to: 0)
            test.wall.update(size: screen)
            test.pass(.milliseconds(60))
            return test
        }
        for (left, right) in zip(walls[0].wall.scene.tiles, walls[1].wall.scene.tiles) {
            #expect(left.isVisible && right.isVisible)
            #expect(left.rectangle.x == right.rectangle.x + screen.width)
        }
        for test in walls { test.pass(.seconds(1)) }
        #expect(walls[0].wall.scene.tiles.map(\.isVisible) == [true, false])
        #expect(walls[1].wall.scene.tiles.map(\.isVisible) == [false, true])
    }

    /// A layout may return any numbers.
    @Test func extremeTilesBreakNothing() {
        let side = Int.max / 2
        let huge = Rectangle(x: -side, y: -side, width: side, height: side)
        let wall = Wall(
            layout: CustomLayoutTests.Layout(all: [huge, Rectangle(x: .min, y: .max, width: 1, height: 1)]))
        for index in 0..<2 { wall.addTile(named: "\(index)") }
        wall.part = WallPart(columns: 64, rows: 64, column: 63, row: 63, bezel: 10_000)
        wall.update(size: screen)
        wall.focus = wall.tiles[0].id
        wall.update(size: screen)
        #expect(wall.scene.tiles[0].isVisible && !wall.scene.tiles[1].isVisible)
    }
}

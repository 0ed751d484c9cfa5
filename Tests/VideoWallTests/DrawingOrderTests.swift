import MediaIO
import Testing
import VideoWall

/// Which tile lies over which.
struct DrawingOrderTests {
    private struct Order: WallLayout {
        var order: [Int]
        var capacity: Int? { nil }
        func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
            aspectRatios.map { _ in Rectangle(x: 0, y: 0, width: size.width, height: size.height) }
        }
        func order(ofTiles count: Int) -> [Int] { order }
    }

    @Test func theUppermostTileOfTheOrderIsFound() {
        let wall = Wall(layout: PictureInPictureLayout(index: 2))
        let tiles = (0..<3).map { wall.addTile(named: "\($0)") }
        wall.update(size: screen)
        #expect(wall.scene.order == [2, 0, 1])
        #expect(wall.tile(atX: 10, y: 10) === tiles[2] && wall.tile(atX: 639, y: 359) === tiles[0])
        // With the same rectangles, another order is a change.
        wall.layout = Order(order: [2, 0, 1])
        wall.update(size: screen)
        #expect(wall.tile(atX: 10, y: 10) === tiles[1])
        wall.layout = Order(order: [1, 0, 2])
        #expect(wall.hasChanges && wall.update(size: screen))
        #expect(wall.scene.damage.contains(wall.scene.bounds) && wall.tile(atX: 10, y: 10) === tiles[2])
    }

    @Test(arguments: [[0], [0, 0], [0, 2], [0, 1, 1]]) func anOrderHasEachTileOnce(_ order: [Int]) async {
        await #expect(processExitsWith: .failure) { [order] in
            let wall = Wall(layout: DrawingOrderTests.Order(order: order))
            wall.addTile(named: "a")
            wall.addTile(named: "b")
            wall.update(size: screen)
        }
    }
}

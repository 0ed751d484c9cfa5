import MediaIO
import TestSupport
import Testing
import VideoWall

/// Layouts of users, which may return anything.
struct CustomLayoutTests {
    struct Layout: WallLayout {
        var all: [Rectangle]
        var capacity: Int? { nil }

        func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] { all }
    }

    @Test func aHugeTileIsClippedToTheWall() throws {
        let side = 1 << 40
        let wall = Wall(layout: Layout(all: [Rectangle(x: -side / 2, y: -side / 2, width: side, height: side)]))
        let tile = wall.addTile(named: "huge")
        tile.contentMode = .stretch
        tile.mailbox.put(try frame())
        wall.update(size: screen)
        #expect(WantsTests.wants(tile) == VideoSinkWants(maximumPixels: 1_000_000_000))
        tile.mailbox.put(try frame())
        #expect(wall.update(size: screen))
        #expect(wall.scene.damage == [wall.scene.bounds])
    }

    @Test func aRectangleIsMissing() async {
        await #expect(processExitsWith: .failure) {
            let wall = Wall(layout: CustomLayoutTests.Layout(all: []))
            wall.addTile(named: "tile")
            wall.update(size: screen)
        }
    }
}

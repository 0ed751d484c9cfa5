import MediaIO
import Testing
import VideoWall

/// Places in parts of the wall.
struct FreeLayoutTests {
    @Test func placesThatTouchLeaveNoGap() {
        let thirds = FreeLayout((0..<3).map { FreeLayout.Place(x: Double($0) / 3, y: 0, width: 1.0 / 3, height: 1) })
        for width in [3, 7, 100, 101, 1919] {
            let tiles = thirds.rectangles(aspectRatios: [1, 1, 1], in: VideoSize(width: width, height: 50))
            #expect(tiles[0].x == 0 && tiles[2].x + tiles[2].width == width)
            for index in 0..<2 { #expect(tiles[index].x + tiles[index].width == tiles[index + 1].x) }
            #expect(tiles.allSatisfy { $0.y == 0 && $0.height == 50 })
        }
    }

    @Test func whatIsOutsideIsClampedAndWhatHasNoPlaceIsHidden() {
        let layout = FreeLayout([
            FreeLayout.Place(x: -1, y: 0.5, width: 9, height: 9),
            FreeLayout.Place(x: .nan, y: 0, width: .nan, height: 1),
        ])
        let tiles = layout.rectangles(aspectRatios: [1, 1, 1], in: VideoSize(width: 80, height: 60))
        #expect(tiles[0] == Rectangle(x: 0, y: 30, width: 80, height: 30))
        #expect(tiles[1].width == 0 && tiles[2].width == 0)
        #expect(layout.capacity == 2 && GridLayout(rows: 2, columns: 3).capacity == 6 && GridLayout().capacity == nil)
    }

    @Test func theUppermostTileIsFound() {
        let wall = Wall(
            layout: FreeLayout([
                FreeLayout.Place(x: 0, y: 0, width: 1, height: 1),
                FreeLayout.Place(x: 0.5, y: 0.5, width: 0.4, height: 0.4),
            ]))
        let (large, small) = (wall.addTile(named: "large"), wall.addTile(named: "small"))
        wall.update(size: screen)
        #expect(wall.tile(atX: 10, y: 10) === large && wall.tile(atX: 400, y: 200) === small)
    }
}

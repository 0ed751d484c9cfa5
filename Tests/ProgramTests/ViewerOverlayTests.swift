import MediaIO
import TestSupport
import Testing
import TextRaster

@testable import VideoWall
@testable import vitrail

/// The texts over the wall.
struct ViewerOverlayTests {
    private let now = ContinuousClock().now
    private let painter = TextRasterizer()

    @Test("A notice is shown for its time")
    func notice() {
        var overlay = ViewerOverlay()
        overlay.show("message", now: now)
        overlay.expire(now: now + .seconds(2))
        #expect(overlay.notice?.text == "message" && overlay.end == now + .seconds(3))
        overlay.expire(now: now + .seconds(3))
        #expect(overlay.notice == nil && overlay.end == nil)
        overlay.show("failure", for: .seconds(8), now: now)
        #expect(overlay.end == now + .seconds(8))
    }

    @Test("A notice is within the tile that it is about; statistics and notice cover no name and not each other")
    func places() throws {
        for (width, height, count) in [(1280, 720, 4), (1280, 720, 16), (1920, 1080, 9), (640, 360, 1)] {
            let wall = Wall(text: painter)
            for number in 1...count { wall.addTile(named: "\(number)").label = "camera \(number)" }
            wall.update(size: VideoSize(width: width, height: height))
            var overlay = ViewerOverlay()
            overlay.statistics = ["Tiles: 4 waiting", "0 frames/s, 0 pictures/s"]
            let tile = wall.tiles[count - 1]
            overlay.show("matrix bt709", over: tile, now: now)
            let images = overlay.images(on: wall.scene, painter)
            #expect(images.count == 2)
            let texts = wall.scene.tiles.flatMap { $0.overlays.map(\.bounds) }
            #expect(texts.count == count)
            for image in images {
                #expect(image.bounds.intersection(wall.scene.bounds) == image.bounds)
                #expect(!texts.contains { $0.intersects(image.bounds) }, "\(width)x\(height) \(count)")
            }
            #expect(!images[0].bounds.intersects(images[1].bounds))
            let area = try #require(wall.scene.tiles.last?.rectangle)
            #expect(images[1].bounds.intersection(area) == images[1].bounds)
            // On the right, of the same width whatever the text.
            #expect(images[0].x > width / 2 || width < 700)
            overlay.statistics = ["Tiles: 4 waiting", "0 frames/s"]
            #expect(overlay.images(on: wall.scene, painter)[0].bounds.width == images[0].bounds.width)
        }
    }

    @Test("A notice that does not fit in its tile is at the bottom of the wall, and says which tile it is about")
    func smallTile() {
        let wall = Wall(text: painter)
        for number in 1...16 { wall.addTile(named: "camera \(number)") }
        wall.update(size: VideoSize(width: 640, height: 360))
        var (overlay, expected) = (ViewerOverlay(), ViewerOverlay())
        overlay.show("range full", over: wall.tiles[5], now: now)
        expected.show("camera 6: range full", now: now)
        let (image, other) = (
            overlay.images(on: wall.scene, painter)[0], expected.images(on: wall.scene, painter)[0]
        )
        #expect(image.bounds == other.bounds && image.image.bytes == other.image.bytes)
    }

    @Test("Where there is no room between the names, the statistics cover as little of them as they can")
    func leastCovered() throws {
        let wall = Wall(layout: GridLayout(rows: 5, columns: 6), text: painter)
        // No name is at the lower right.
        for number in 0..<27 { wall.addTile(named: "\(number)").label = "a name that is rather long" }
        for tile in wall.tiles {
            let pixels = try PixelBuffer(format: .gray8, size: VideoSize(width: 16, height: 9)) { _ in }
            tile.mailbox.put(VideoFrame(pixels))
        }
        wall.update(size: VideoSize(width: 1280, height: 720))
        var overlay = ViewerOverlay()
        overlay.statistics = (0..<8).map { "row \($0)" }
        let bounds = overlay.images(on: wall.scene, painter)[0].bounds
        let covered = wall.scene.tiles.flatMap(\.overlays).filter { $0.bounds.intersects(bounds) }
        #expect(covered.count <= 2 && bounds.x > 640, "\(covered.count)")
    }

    @Test("What dims the picture of a lost stream is no text: the statistics may cover it")
    func dimmed() throws {
        let wall = Wall(layout: GridLayout(columns: 2), text: painter)
        for number in 0..<2 {
            let pixels = try PixelBuffer(format: .gray8, size: VideoSize(width: 16, height: 9)) { _ in }
            wall.addTile(named: "\(number)").mailbox.put(VideoFrame(pixels))
        }
        wall.update(size: VideoSize(width: 1280, height: 720))
        var overlay = ViewerOverlay()
        overlay.statistics = ["a"]
        let before = overlay.images(on: wall.scene, painter)
        #expect(before[0].x > 640)
        wall.tiles[1].mailbox.sourceDidChange(.waiting("lost"))
        wall.update(size: VideoSize(width: 1280, height: 720))
        #expect(overlay.images(on: wall.scene, painter) == before)
    }

    @Test("Nothing is made while there is nothing to show, and nothing anew while nothing changes")
    func reuse() {
        let wall = Wall(text: painter)
        wall.update(size: VideoSize(width: 640, height: 360))
        var overlay = ViewerOverlay()
        #expect(overlay.images(on: wall.scene, painter).isEmpty)
        overlay.statistics = ["a"]
        overlay.show("b", now: now)
        let first = overlay.images(on: wall.scene, painter)
        #expect(overlay.images(on: wall.scene, painter) == first)
    }

    @Test("The statistics count tiles by their condition")
    func conditions() {
        var statistics = WallStatistics()
        let tiles = (0..<6).map { WallTile(name: "\($0)") }
        for (tile, condition) in zip(
            tiles,
            [.live, .live, .failed("gone"), .waiting("lost", code: .readFailed), .ended, .live] as [SourceCondition])
        {
            tile.mailbox.sourceDidChange(condition)
        }
        let rows = statistics.rows(tiles, drawn: 0, refreshRate: nil, renderer: "cpu", passes: nil, now: now)
        #expect(rows[0] == "6 tiles: 3 connecting, 1 offline, 1 ended, 1 failed")
    }

    @Test("The statistics say how long the pictures of live streams are held")
    func playoutDelays() {
        #expect(WallStatistics.text(playoutDelays: []) == nil)
        #expect(WallStatistics.text(playoutDelays: [.zero, .zero]) == "playout delay 0 ms")
        #expect(WallStatistics.text(playoutDelays: [.milliseconds(120), .zero]) == "playout delay 0 to 120 ms")
    }
}

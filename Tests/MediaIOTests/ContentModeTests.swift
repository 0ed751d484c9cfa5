import MediaIO
import TestSupport
import Testing

/// Where a picture goes in its tile.
struct ContentModeTests {
    struct Place {
        let mode: ContentMode
        let aspect: Double
        let tile: (Int, Int, Int, Int)
        let destination: (Int, Int, Int, Int)
        var visible = (1.0, 1.0)
    }

    @Test(arguments: [
        Place(mode: .fit, aspect: 16.0 / 9, tile: (0, 0, 1920, 1080), destination: (0, 0, 1920, 1080)),
        Place(mode: .fit, aspect: 4.0 / 3, tile: (0, 0, 1920, 1080), destination: (240, 0, 1440, 1080)),
        Place(mode: .fit, aspect: 16.0 / 9, tile: (10, 20, 400, 400), destination: (10, 107, 400, 225)),
        Place(mode: .fit, aspect: 9.0 / 16, tile: (5, 7, 320, 180), destination: (114, 7, 101, 180)),
        Place(mode: .fit, aspect: 1, tile: (3, 4, 1, 1), destination: (3, 4, 1, 1)),
        Place(mode: .fit, aspect: 1000, tile: (0, 0, 10, 10), destination: (0, 4, 10, 1)),
        Place(mode: .fit, aspect: 1e300, tile: (0, 0, 10, 10), destination: (0, 4, 10, 1)),
        Place(mode: .fit, aspect: 0.001, tile: (0, 0, 10, 10), destination: (4, 0, 1, 10)),
        Place(mode: .fill, aspect: 2, tile: (1, 2, 100, 100), destination: (1, 2, 100, 100), visible: (0.5, 1)),
        Place(mode: .fill, aspect: 0.5, tile: (1, 2, 100, 100), destination: (1, 2, 100, 100), visible: (1, 0.5)),
        Place(mode: .fill, aspect: 1, tile: (1, 2, 100, 100), destination: (1, 2, 100, 100)),
        Place(mode: .stretch, aspect: 7, tile: (1, 2, 100, 50), destination: (1, 2, 100, 50)),
    ]) func contentIsPlaced(_ test: Place) {
        func rectangle(_ value: (Int, Int, Int, Int)) -> Rectangle {
            Rectangle(x: value.0, y: value.1, width: value.2, height: value.3)
        }
        let placement = test.mode.place(aspectRatio: test.aspect, in: rectangle(test.tile))
        #expect(placement.destination == rectangle(test.destination))
        #expect(abs(placement.visibleWidth - test.visible.0) < 1e-12)
        #expect(abs(placement.visibleHeight - test.visible.1) < 1e-12)
    }

    /// Whatever the shapes: inside the tile, centred to a pixel, touching two edges, and in shape to a pixel.
    @Test func fitKeepsShape() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let tile = Rectangle(
                x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random),
                width: .random(in: 1...2000, using: &random), height: .random(in: 1...2000, using: &random))
            let aspect = Double.random(in: 0.05...20, using: &random)
            let inner = ContentMode.fit.place(aspectRatio: aspect, in: tile).destination
            #expect(inner.width >= 1 && inner.height >= 1)
            #expect(inner.width == tile.width || inner.height == tile.height)
            let (left, right) = (inner.x - tile.x, tile.x + tile.width - inner.x - inner.width)
            let (top, bottom) = (inner.y - tile.y, tile.y + tile.height - inner.y - inner.height)
            #expect(left >= 0 && top >= 0 && (0...1).contains(right - left) && (0...1).contains(bottom - top))
            let (width, height) = (Double(inner.width), Double(inner.height))
            #expect(abs(width - height * aspect) <= 0.5001 * max(1, aspect) || min(inner.width, inner.height) == 1)
        }
    }
}

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
        // The middle of the frame.
        #expect(abs(placement.visibleX - (1 - test.visible.0) / 2) < 1e-12)
        #expect(abs(placement.visibleY - (1 - test.visible.1) / 2) < 1e-12)
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

/// Frames that are enlarged in their rectangle.
struct EnlargedPlacementTests {
    static let rectangle = Rectangle(x: 10, y: 20, width: 400, height: 400)

    @Test("Bars become narrower, then the frame is cropped around a point")
    func grows() {
        let placement = ContentMode.fit.place(aspectRatio: 2, in: Self.rectangle)
        #expect(placement.destination == Rectangle(x: 10, y: 120, width: 400, height: 200))
        let half = placement.enlarged(1.5, x: 0.5, y: 0.5, in: Self.rectangle)
        #expect(half.destination == Rectangle(x: 10, y: 70, width: 400, height: 300))
        #expect(abs(half.visibleWidth - 1 / 1.5) < 1e-12 && half.visibleHeight == 1 && half.visibleY == 0)
        #expect(abs(half.visibleX - (1 - 1 / 1.5) / 2) < 1e-12)
        let four = placement.enlarged(4, x: 0.3, y: 0.9, in: Self.rectangle)
        #expect(four.destination == Self.rectangle)
        #expect(four.visibleWidth == 0.25 && four.visibleHeight == 0.5)
        // Around the point, as far as there is anything to show.
        #expect(abs(four.visibleX - (0.3 - 0.125)) < 1e-12 && four.visibleY == 0.5)
    }

    @Test(
        "The scale on the screen is the same in both directions, whatever fills the rectangle",
        arguments: ContentMode.allCases, [1.01, 1.5, 3, 64])
    func keepsShape(_ mode: ContentMode, _ scale: Double) {
        for ratio in [0.4, 1, 16.0 / 9] {
            let base = mode.place(aspectRatio: ratio, in: Self.rectangle)
            let placement = base.enlarged(scale, x: 0, y: 1, in: Self.rectangle)
            let width = Double(placement.destination.width) / placement.visibleWidth
            let height = Double(placement.destination.height) / placement.visibleHeight
            #expect(abs(width - scale * Double(base.destination.width) / base.visibleWidth) <= 1)
            #expect(abs(height - scale * Double(base.destination.height) / base.visibleHeight) <= 1)
            #expect(placement.visibleX >= 0 && placement.visibleX + placement.visibleWidth <= 1)
            #expect(placement.visibleY >= 0 && placement.visibleY + placement.visibleHeight <= 1)
            #expect(placement.destination.intersection(Self.rectangle) == placement.destination)
        }
    }

    @Test("A scale of 1 or less, or none, changes nothing", arguments: [1, 0.5, 0, -1, .nan, .infinity])
    func nothing(_ scale: Double) {
        let placement = ContentMode.fill.place(aspectRatio: 2, in: Self.rectangle)
        #expect(placement.enlarged(scale, x: 0, y: 0, in: Self.rectangle) == placement)
    }
}

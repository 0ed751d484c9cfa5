import MediaIO
import Testing
import VideoWall

/// Images of users over a tile and over the wall.
@Suite(.everyRenderer) struct OverlayTests {
    private let size = VideoSize(width: 128, height: 36)

    @Test func marksAreWhereTheyBelong() throws {
        let wall = try TestWall(layout: GridLayout(columns: 2))
        let tiles = try (0..<2).map { _ in
            wall.add(try VideoFrame(SamplePicture.random(.i420, VideoSize(width: 64, height: 36)).buffer()))
        }
        let plain = try wall.picture(size)
        #expect(wall.wall.scene.tiles.map(\.rectangle.x) == [0, 64])

        let (red, green, blue) = (SIMD4<Float>(1, 0, 0, 1), SIMD4<Float>(0, 1, 0, 1), SIMD4<Float>(0, 0, 1, 1))
        // Both are clipped to their tile.
        tiles[0].overlays = [mark(x: 60, y: -4, red)]
        tiles[1].overlays = [mark(x: -3, y: 30, green)]
        try check(wall.picture(size), plain) { x, y in
            if (60..<64).contains(x), y < 6 { return [255, 0, 0] }
            return (64..<71).contains(x) && y >= 30 ? [0, 255, 0] : nil
        }
        // The wall's lies over both, with a border.
        tiles[1].overlays = []
        wall.wall.overlays = [mark(x: 59, y: 3, green)]
        wall.wall.overlays[0].background = blue
        wall.wall.overlays[0].margin = 2
        try check(wall.picture(size), plain) { x, y in
            if (59..<69).contains(x), (3..<13).contains(y) { return [0, 255, 0] }
            if (57..<71).contains(x), (1..<15).contains(y) { return [0, 0, 255] }
            return (60..<64).contains(x) && y < 6 ? [255, 0, 0] : nil
        }
        tiles[0].overlays = []
        wall.wall.overlays = []
        #expect(try wall.picture(size) == plain)
    }

    private func mark(x: Int, y: Int, _ color: SIMD4<Float>) -> WallOverlay {
        let image = CoverageImage(
            [UInt8](repeating: 255, count: 100), size: VideoSize(width: 10, height: 10), bytesPerRow: 10)
        return WallOverlay(image, x: x, y: y, color: color)
    }

    /// Compares all pixels: those without an expected colour are as in `plain`.
    private func check(_ picture: RGBAImage, _ plain: RGBAImage, _ expected: (Int, Int) -> [Int]?) throws {
        for y in 0..<size.height {
            for x in 0..<size.width {
                try #require(picture.pixel(x, y) == expected(x, y) ?? plain.pixel(x, y), "\(x), \(y)")
            }
        }
    }
}

import MediaIO
import VideoWall
import VitrailGL

/// Reads single pixels: it draws a tile as usual, but into a target of one pixel at the wanted position.
final class GLPixelProbe {
    private let context: GLContext
    private let pixel: Framebuffer

    init(_ context: GLContext) throws(GLError) {
        self.context = context
        pixel = try Framebuffer(context, .rgba32f, width: 1, height: 1)
    }

    /// Draws and reads one pixel of a tile twice: its samples, and its colour.
    ///
    /// - Parameters:
    ///   - tile: the tile to draw.
    ///   - textures: the tile's textures.
    ///   - x: the column of the pixel on the wall.
    ///   - y: the row of the pixel on the wall, downwards.
    ///   - view: the target.
    ///   - shared: the resources shared by all tiles.
    /// - Returns: `nil` if the tile has no frame.
    func sample(
        _ tile: WallScene.Tile, _ textures: TileTextures, _ x: Int, _ y: Int, _ view: TargetView,
        _ shared: borrowing SharedResources
    ) -> PixelSample? {
        guard let frame = tile.frame, let format = frame.image.format else { return nil }
        let area = tile.placement.destination
        guard area.contains(x: Double(x), y: Double(y)) else { return nil }
        // The samples at that position, not a mean of them.
        var exact = tile
        exact.filter = .nearest
        let placement = FrameDrawing(frame, format, exact, view, drawsSamples: true).placement
        let inside = SIMD2(Float(x - area.x) + 0.5, Float(y - area.y) + 0.5)
        let place = placement.origin + inside.x * placement.perColumn + inside.y * placement.perRow
        let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))

        pixel.bind()
        context.setViewport(x: -x, y: -y, width: view.size.width, height: view.size.height)
        guard textures.drawSamples(exact, view, shared) else { return nil }
        let samples = read()
        guard textures.draw(tile, view, shared) else { return nil }
        let size = frame.image.size
        return PixelSample(
            tile: tile.id, x: min(max(column, 0), size.width - 1), y: min(max(row, 0), size.height - 1),
            format, samples: samples, color: read())
    }

    private func read() -> SIMD4<Float> {
        var value = SIMD4<Float>.zero
        withUnsafeMutableBytes(of: &value) { pixel.readPixels(into: $0, bytesPerRow: $0.count) }
        return value
    }
}

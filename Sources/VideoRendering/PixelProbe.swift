import GL
import MediaIO

/// Reads single pixels: it draws a tile as it is always drawn, into a picture of one pixel that lies where the wanted one is.
final class PixelProbe {
    private let pixel: Framebuffer

    init(_ context: GLContext) throws(GLError) { pixel = try Framebuffer(context, .rgba32f, width: 1, height: 1) }

    /// Draws and reads one pixel of a tile twice: its samples, and its colour.
    ///
    /// - Parameters:
    ///   - tile: what is drawn.
    ///   - index: its index.
    ///   - rectangle: where on the wall it is.
    ///   - x: of the pixel on the wall.
    ///   - y: of the pixel on the wall, downwards.
    ///   - target: the wall.
    ///   - tools: what every tile draws with.
    /// - Returns: `nil` where the tile has no picture.
    /// - Throws: ``GLError`` where the driver does not take the program.
    func sample(
        _ tile: StreamTile, _ index: Int, _ rectangle: Rectangle, _ x: Int, _ y: Int, _ target: TileTarget,
        _ tools: borrowing DrawingTools
    ) throws(GLError) -> PixelSample? {
        guard let picture = tile.picture else { return nil }
        let placed = tile.contentMode.place(aspectRatio: tile.aspectRatio, in: rectangle)
        let area = placed.destination
        guard area.contains(x: Double(x), y: Double(y)) else { return nil }
        let placement = tile.placement(of: picture, placed, target)
        let across = (Float(x - area.x) + 0.5) / Float(area.width)
        let below = (Float(y - area.y) + 0.5) / Float(area.height)
        let place = placement.origin + across * placement.right + below * placement.down
        let (column, row) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))

        pixel.bind()
        DrawTarget.setViewport(x: -x, y: -y, width: target.size.width, height: target.size.height)
        try tile.draw(picture, in: rectangle, target, tools, drawsSamples: true)
        let samples = read()
        try tile.draw(picture, in: rectangle, target, tools)
        return PixelSample(
            tile: index, x: min(max(column, 0), picture.planes.size.width - 1),
            y: min(max(row, 0), picture.planes.size.height - 1), picture.planes.format, samples: samples, color: read())
    }

    private func read() -> SIMD4<Float> {
        var value = SIMD4<Float>.zero
        withUnsafeMutableBytes(of: &value) { pixel.readPixels(into: $0, bytesPerRow: $0.count) }
        return value
    }
}

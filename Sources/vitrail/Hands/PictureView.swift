import MediaIO
import VideoWall
import WindowGL

/// The picture in a tile, as it is enlarged and moved.
struct PictureView {
    private let area: Rectangle
    private let placement: ContentMode.Placement
    private let scale: Double
    /// The whole picture in pixels of the wall, at its present scale.
    private var width: Double { Double(placement.destination.width) / placement.visibleWidth }
    private var height: Double { Double(placement.destination.height) / placement.visibleHeight }

    /// The picture of a tile at a place of the wall, as it is drawn next: it may have changed since the last drawing.
    init(of tile: WallTile, in area: Rectangle) {
        (self.area, placement, scale) = (area, tile.placement(in: area), tile.zoom?.scale ?? 1)
    }

    /// How much larger a step of the wheel makes a picture.
    private static let factor = 1.25

    /// The picture enlarged by steps, so that what is at a position stays there; `nil` if all of it is shown.
    func enlarged(by steps: Double, at place: WindowEvent.MousePosition) -> TileZoom? {
        var power = 1.0
        for _ in 0..<Int(abs(steps).rounded(.up)) { power *= Self.factor }
        // Touch pads scroll by fractions of a step.
        if abs(steps) < 1 { power = 1 + (Self.factor - 1) * abs(steps) }
        let new = min(TileZoom.scales.upperBound, max(1, steps > 0 ? scale * power : scale / power))
        guard new > 1.001 else { return nil }
        let ratio = new / scale
        return TileZoom(
            scale: Self.rounded(new),
            x: Self.center(
                place.x, area.x, area.width, placement.destination.x, placement.visibleX, width, ratio),
            y: Self.center(
                place.y, area.y, area.height, placement.destination.y, placement.visibleY, height, ratio))
    }

    /// The picture moved by pixels of the wall, as far as there is more of it.
    func moved(x: Double, y: Double) -> TileZoom? {
        guard scale > 1 else { return nil }
        func center(_ visible: Double, _ part: Double, _ pixels: Double, _ length: Double) -> Double {
            let middle = visible + part / 2 + pixels / max(1, length)
            return Self.rounded(min(max(middle, part / 2), 1 - part / 2))
        }
        return TileZoom(
            scale: scale, x: center(placement.visibleX, placement.visibleWidth, x, width),
            y: center(placement.visibleY, placement.visibleHeight, y, height))
    }

    /// The middle of the visible part, so that the point at `place` stays there.
    private static func center(
        _ place: Double, _ start: Int, _ room: Int, _ destination: Int, _ visible: Double, _ length: Double,
        _ ratio: Double
    ) -> Double {
        let whole = max(1, length * ratio)
        guard whole > Double(room) else { return 0.5 }
        let part = Double(room) / whole
        // The same point of the picture before and after.
        let point = min(max(visible + (place - Double(destination)) / max(1, length), 0), 1)
        let first = point - (place - Double(start)) / whole
        return rounded(min(max(first + part / 2, part / 2), 1 - part / 2))
    }

    /// Short in a wall file, and exact to a pixel of any picture.
    private static func rounded(_ number: Double) -> Double { (number * 100_000).rounded() / 100_000 }
}

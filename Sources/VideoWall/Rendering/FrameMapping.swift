package import MediaIO

/// Maps the pixels of a picture to positions in the frame that is drawn there.
///
/// The vectors include rotation, mirror and crop. Each is parallel to one axis of the frame.
package struct FrameMapping: Hashable, Sendable {
    /// The source position of the upper left corner, in pixels in memory.
    package var origin: SIMD2<Double>
    /// The source vector from a column of the picture to the one on its right.
    package var perColumn: SIMD2<Double>
    /// The source vector from a row of the picture to the one below.
    package var perRow: SIMD2<Double>

    /// Maps a rectangle of a picture to a frame.
    ///
    /// - Parameters:
    ///   - size: the size of the rectangle, in pixels of the picture.
    ///   - visible: the visible part of the picture as shown, 0…1 in both directions.
    ///   - source: the part of the frame that is shown, in pixels in memory.
    ///   - orientation: the rotation, and the mirror after it.
    package init(
        _ size: VideoSize, visible: (x: Double, y: Double, width: Double, height: Double) = (0, 0, 1, 1),
        source: Rectangle,
        _ orientation: Orientation = .upright
    ) {
        let mirror = orientation.mirror
        // From the picture's coordinates (0…1, right and down) to source pixels: undo the mirror, then the rotation.
        func position(_ shown: SIMD2<Double>) -> SIMD2<Double> {
            var (u, v) = (shown.x, shown.y)
            if mirror.isHorizontal { u = 1 - u }
            if mirror.isVertical { v = 1 - v }
            let unit =
                switch orientation.rotation {
                case .upright: SIMD2(u, v)
                case .clockwise90: SIMD2(v, 1 - u)
                case .clockwise180: SIMD2(1 - u, 1 - v)
                case .clockwise270: SIMD2(1 - v, u)
                }
            return SIMD2(Double(source.x), Double(source.y)) + unit * SIMD2(Double(source.width), Double(source.height))
        }
        let first = SIMD2(visible.x, visible.y)
        let last = first + SIMD2(visible.width, visible.height)
        let upperLeft = position(first)
        let right = position(SIMD2(last.x, first.y)) - upperLeft
        let down = position(SIMD2(first.x, last.y)) - upperLeft
        origin = upperLeft
        perColumn = right / Double(max(1, size.width))
        perRow = down / Double(max(1, size.height))
    }

    /// Maps the place of a tile's frame to the part of the frame that is shown, in pixels in memory.
    package init(_ tile: WallScene.Tile, visible: Rectangle) {
        let placed = tile.placement
        self.init(
            VideoSize(width: placed.destination.width, height: placed.destination.height),
            visible: (placed.visibleX, placed.visibleY, placed.visibleWidth, placed.visibleHeight), source: visible,
            tile.orientation)
    }

    /// Source pixels per pixel of the picture, along the frame's own axes.
    package var step: SIMD2<Double> {
        // One of the two vectors is along each axis, the other is zero.
        SIMD2(abs(perColumn.x) + abs(perRow.x), abs(perColumn.y) + abs(perRow.y))
    }
}

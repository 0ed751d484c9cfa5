import MediaIO
import VideoWall

/// The visible part of a frame, its destination and its orientation, as the uniforms of `picture.vert.glsl`.
struct FramePlacement: Equatable {
    /// Left, top, right, bottom in clip space.
    var destination: SIMD4<Float>
    /// The source position, in pixels, of the upper left corner on the target.
    var origin: SIMD2<Float>
    /// The vector from there to the upper right corner.
    var right: SIMD2<Float>
    /// The vector from there to the lower left corner.
    var down: SIMD2<Float>
    /// Source pixels per target pixel, along the source's own axes; at least 1.
    var reduction: SIMD2<Float>

    /// - Parameters:
    ///   - rectangle: the pixels to cover, y downwards from the top of the target.
    ///   - target: the size of the target.
    ///   - visible: the visible part of the width and height, 0…1, centred.
    ///   - source: the part of the frame that is shown, in pixels in memory.
    ///   - rotation: the rotation, applied first.
    ///   - mirror: the mirror, applied after the rotation.
    ///   - topIsFirstRow: whether the target's row 0 is the top one, as in a picture that is read back, or the lowest,
    ///     as in a window.
    init(
        rectangle: Rectangle, target: VideoSize, visible: (width: Double, height: Double) = (1, 1), source: Rectangle,
        rotation: VideoRotation = .upright, mirror: VideoMirror = .unmirrored, topIsFirstRow: Bool
    ) {
        func clip(_ position: Int, _ length: Int) -> Float { Float(2 * Double(position) / Double(length) - 1) }
        let up: Float = topIsFirstRow ? 1 : -1
        destination = SIMD4(
            clip(rectangle.x, target.width), up * clip(rectangle.y, target.height),
            clip(rectangle.x + rectangle.width, target.width),
            up * clip(rectangle.y + rectangle.height, target.height))

        // From target coordinates (0…1, right and down) to source pixels: undo the mirror, then the rotation.
        func position(_ shown: SIMD2<Double>) -> SIMD2<Double> {
            var (u, v) = (shown.x, shown.y)
            if mirror.isHorizontal { u = 1 - u }
            if mirror.isVertical { v = 1 - v }
            let unit =
                switch rotation {
                case .upright: SIMD2(u, v)
                case .clockwise90: SIMD2(v, 1 - u)
                case .clockwise180: SIMD2(1 - u, 1 - v)
                case .clockwise270: SIMD2(1 - v, u)
                }
            return SIMD2(Double(source.x), Double(source.y)) + unit * SIMD2(Double(source.width), Double(source.height))
        }
        let first = SIMD2((1 - visible.width) / 2, (1 - visible.height) / 2)
        let upperLeft = position(first)
        origin = SIMD2<Float>(upperLeft)
        right = SIMD2<Float>(position(first + SIMD2(visible.width, 0)) - upperLeft)
        down = SIMD2<Float>(position(first + SIMD2(0, visible.height)) - upperLeft)
        // One of the two is along each axis, the other is zero.
        let alongRight = right / Float(max(1, rectangle.width))
        let alongDown = down / Float(max(1, rectangle.height))
        reduction = SIMD2(
            max(1, abs(alongRight.x) + abs(alongDown.x)), max(1, abs(alongRight.y) + abs(alongDown.y)))
    }
}

extension FramePlacement {
    /// Places a tile's frame.
    ///
    /// - Parameters:
    ///   - tile: the tile.
    ///   - visible: the part of the frame that is shown, in pixels in memory.
    ///   - view: the target.
    init(_ tile: WallScene.Tile, visible: Rectangle, _ view: TargetView) {
        let placed = tile.placement
        self.init(
            rectangle: placed.destination, target: view.size, visible: (placed.visibleWidth, placed.visibleHeight),
            source: visible, rotation: tile.orientation.rotation, mirror: tile.orientation.mirror,
            topIsFirstRow: view.topIsFirstRow)
    }
}

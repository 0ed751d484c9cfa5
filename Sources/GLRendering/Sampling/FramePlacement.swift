import MediaIO
import VideoWall

/// The visible part of a frame, its destination and its orientation, as the uniforms of `picture.vert.glsl` and
/// `position.glsl`.
struct FramePlacement: Equatable {
    /// Left, top, right, bottom in clip space.
    var destination: SIMD4<Float>
    /// The size of the destination, in pixels of the target.
    var size: SIMD2<Float>
    /// The source position of the destination's upper left corner, in pixels.
    var origin: SIMD2<Float>
    /// The source vector from a column of the target to the one on its right.
    var perColumn: SIMD2<Float>
    /// The source vector from a row of the target to the one below.
    var perRow: SIMD2<Float>

    /// Source pixels per target pixel, along the source's own axes.
    var step: SIMD2<Float> {
        // One of the two vectors is along each axis, the other is zero.
        SIMD2(abs(perColumn.x) + abs(perRow.x), abs(perColumn.y) + abs(perRow.y))
    }

    /// - Parameters:
    ///   - rectangle: the pixels to cover, y downwards from the top of the target.
    ///   - visible: the visible part of the picture as shown, 0…1 in both directions.
    ///   - source: the part of the frame that is shown, in pixels in memory.
    ///   - rotation: the rotation, applied first.
    ///   - mirror: the mirror, applied after the rotation.
    ///   - view: the target.
    init(
        rectangle: Rectangle, visible: (x: Double, y: Double, width: Double, height: Double) = (0, 0, 1, 1),
        source: Rectangle,
        rotation: VideoRotation = .upright, mirror: VideoMirror = .unmirrored, _ view: TargetView
    ) {
        func clip(_ position: Int, _ length: Int) -> Float { Float(2 * Double(position) / Double(length) - 1) }
        let target = view.size
        let up: Float = view.topIsFirstRow ? 1 : -1
        destination = SIMD4(
            clip(rectangle.x, target.width), up * clip(rectangle.y, target.height),
            clip(rectangle.x + rectangle.width, target.width),
            up * clip(rectangle.y + rectangle.height, target.height))
        size = SIMD2(Float(rectangle.width), Float(rectangle.height))

        let mapping = FrameMapping(
            VideoSize(width: rectangle.width, height: rectangle.height), visible: visible, source: source,
            Orientation(rotation: rotation, mirror: mirror))
        origin = SIMD2<Float>(mapping.origin)
        perColumn = SIMD2<Float>(mapping.perColumn)
        perRow = SIMD2<Float>(mapping.perRow)
    }

    /// Creates a placement of all pixels of a target whose first row is the top one.
    ///
    /// - Parameters:
    ///   - size: the size of the target.
    ///   - origin: the source position of the corner of the target's first pixel.
    ///   - step: source pixels per target pixel in both directions.
    init(covering size: VideoSize, origin: SIMD2<Float>, step: SIMD2<Float>) {
        destination = SIMD4(-1, -1, 1, 1)
        self.size = SIMD2(Float(size.width), Float(size.height))
        self.origin = origin
        perColumn = SIMD2(step.x, 0)
        perRow = SIMD2(0, step.y)
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
            rectangle: placed.destination,
            visible: (placed.visibleX, placed.visibleY, placed.visibleWidth, placed.visibleHeight), source: visible,
            rotation: tile.orientation.rotation, mirror: tile.orientation.mirror, view)
    }
}

public import MediaIO

/// Everything that a renderer needs to draw one picture of a wall, as a value.
///
/// **Thread:** any. **Cost:** copying one is a few retains.
public struct WallScene: Sendable {
    /// One tile as it is to be drawn.
    public struct Tile: Sendable {
        /// Which tile: what a renderer keeps its textures by.
        public var id: WallTile.ID
        /// The newest picture, or `nil` until there is one.
        public var frame: VideoFrame?
        /// Another number is another picture.
        public var frameNumber: Int
        /// The pixels of the scene that the tile covers; empty where it is not seen.
        public var rectangle: Rectangle
        /// What of the picture goes where in that rectangle.
        public var placement: ContentMode.Placement
        /// The frame's turn and mirror, and the tile's own on top.
        public var orientation: Orientation
        /// How the picture is scaled.
        public var filter: ScalingFilter
        /// Whether scaling averages light instead of code values.
        public var scalesInLinearLight: Bool
        /// What is taken of the picture's colours instead of what the frame says.
        public var colorOverride: ColorOverride
        /// What lies over the picture, in drawing order.
        public var overlays: [WallOverlay]

        /// Whether any pixel of it is seen.
        public var isVisible: Bool { rectangle.width > 0 && rectangle.height > 0 }

        /// Whether both are drawn alike, pixel for pixel.
        func looksLike(_ other: Tile) -> Bool {
            id == other.id && frameNumber == other.frameNumber && rectangle == other.rectangle
                && placement == other.placement && orientation == other.orientation && filter == other.filter
                && scalesInLinearLight == other.scalesInLinearLight && colorOverride == other.colorOverride
                && overlays == other.overlays
        }
    }

    /// Whose scene it is.
    public let wall: Wall.ID
    /// Counts the changes of that wall: with another number there is something to draw.
    public internal(set) var number = 0
    /// What has changed since the scene of the number before, in pixels; rectangles may overlap.
    public internal(set) var damage: [Rectangle] = []
    /// The size in pixels.
    public internal(set) var size = VideoSize(width: 0, height: 0)
    /// All tiles in drawing order, those that are not seen as well.
    public internal(set) var tiles: [Tile] = []
    /// What lies over everything, in drawing order.
    public internal(set) var overlays: [WallOverlay] = []
    /// The colours of what the wall is shown on.
    public internal(set) var colorTarget = ColorTarget.sRGB
    /// When pictures are converted to the colours of ``colorTarget``.
    public internal(set) var colorConversion = ColorConversionMode.auto

    /// All pixels of the scene.
    public var bounds: Rectangle { Rectangle(x: 0, y: 0, width: size.width, height: size.height) }

    /// The index of the uppermost tile at a place, y downwards; `nil` beside the tiles.
    public func tile(atX x: Double, y: Double) -> Int? { tiles.lastIndex { $0.rectangle.contains(x: x, y: y) } }
}

public import MediaIO

/// Everything that a renderer needs to draw one picture of a wall, as a value.
///
/// **Thread:** any. **Cost:** copying one is a dozen retains.
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
    public var damage: [Rectangle] { recentDamage[Self.slot(number)] }
    /// The damage of the last numbers, each in the slot of its number.
    var recentDamage = InlineArray<8, [Rectangle]>(repeating: [])
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

    /// Collects what has changed since an earlier scene of the wall, each pixel as seldom as is simple.
    ///
    /// **Cost:** every frame; it allocates nothing where `parts` has room.
    /// - Parameters:
    ///   - earlier: the number of that scene.
    ///   - parts: the rectangles are added here; one that another one covers is left out.
    /// - Returns: whether that is known: it is for the last 8 numbers.
    public func addDamage(since earlier: Int, to parts: inout [Rectangle]) -> Bool {
        guard earlier >= max(0, number - recentDamage.count), earlier <= number else { return false }
        // The newest first: after a change of the layout that is everything.
        var past = number
        while past > earlier {
            for index in recentDamage[Self.slot(past)].indices {
                let part = recentDamage[Self.slot(past)][index]
                if !Self.isCovered(part, by: parts) { parts.append(part) }
            }
            past -= 1
        }
        return true
    }

    /// Where the damage of a number is kept.
    static func slot(_ number: Int) -> Int { number & 7 }

    private static func isCovered(_ part: Rectangle, by parts: [Rectangle]) -> Bool {
        // By index: without optimisation, an array's iterator allocates.
        for index in parts.indices where part.intersection(parts[index]) == part { return true }
        return false
    }

    /// The index of the uppermost tile at a place, y downwards; `nil` beside the tiles.
    public func tile(atX x: Double, y: Double) -> Int? { tiles.lastIndex { $0.rectangle.contains(x: x, y: y) } }
}

public import MediaIO

/// Everything that a renderer needs to draw one picture of a wall.
///
/// **Thread:** any. **Cost:** a copy is a few retains.
public struct WallScene: Sendable {
    /// One tile to draw.
    public struct Tile: Sendable {
        /// The tile's identity, the key of a renderer's resources.
        public var id: WallTile.ID
        /// The newest frame, or `nil` until there is one.
        public var frame: VideoFrame?
        /// The number of the frame, which changes with each frame.
        public var frameNumber: Int
        /// The pixels of the scene that the tile covers; empty if it is hidden.
        public var rectangle: Rectangle
        /// The placement of the frame in that rectangle.
        public var placement: ContentMode.Placement
        /// The frame's rotation and mirror, followed by the tile's own.
        public var orientation: Orientation
        /// The scaling filter.
        public var filter: ScalingFilter
        /// Whether scaling averages light instead of code values.
        public var scalesInLinearLight: Bool
        /// Overrides of the frame's colours.
        public var colorOverride: ColorOverride
        /// The effects on the picture.
        public var effects = EffectChain()
        /// How these are drawn, at the size of the placement.
        package var effectPlan = EffectPlan()
        /// What the effects depend on besides the frame.
        public var effectInputs = EffectInputs()
        /// The effects that are wanted, of which ``effects`` may only have some.
        package var chain = EffectChain()
        /// The overlays over the tile, in drawing order.
        public var overlays: [WallOverlay]

        /// Whether any pixel of it is visible.
        public var isVisible: Bool { rectangle.width > 0 && rectangle.height > 0 }

        /// Where texts, signs and bars are, which other texts should not cover.
        package var captionAreas: [Rectangle] {
            overlays.filter { overlay in
                // Neither what dims a tile nor a side of its border.
                let (bounds, least) = (overlay.bounds, min(overlay.bounds.width, overlay.bounds.height))
                return overlay.hasImage || (bounds != rectangle && least > 9)
            }.map(\.bounds)
        }

        /// Whether both are drawn identically.
        func looksLike(_ other: Tile) -> Bool {
            rectangle == other.rectangle && placement == other.placement && hasPicture(of: other)
                && overlays == other.overlays
        }

        /// Whether both have the same picture of the same size, wherever that is.
        package func hasPicture(of other: Tile) -> Bool {
            var moved = placement
            (moved.destination.x, moved.destination.y) = (other.placement.destination.x, other.placement.destination.y)
            return id == other.id && frameNumber == other.frameNumber && moved == other.placement
                && orientation == other.orientation && filter == other.filter
                && scalesInLinearLight == other.scalesInLinearLight && colorOverride == other.colorOverride
                && effects == other.effects && effectInputs == other.effectInputs
        }
    }

    /// What effects depend on besides the picture.
    ///
    /// A value that none of them uses keeps its default, so that it causes no redrawing.
    public struct EffectInputs: Hashable, Sendable {
        /// Seconds.
        public var time: Float = 0
        /// Year, month from 0, day, seconds of the day.
        public var date = SIMD4<Float>.zero
        /// The position of the mouse, 0 to 1 from the upper left corner of the picture; (-1, -1) elsewhere.
        public var mouse = SIMD2<Float>(-1, -1)
        /// Changes whenever another tile that the effects read changes.
        var others = 0
        /// Changes whenever a privacy mask does, if an effect reads its previous result.
        package var masks = 0

        /// The inputs of effects that use none.
        public init() {}
    }

    /// The identity of the wall.
    public let wall: Wall.ID
    /// Counts the changes of that wall: a new number means that there is something to draw.
    public internal(set) var number = 0
    /// The changes since the scene with the previous number, in pixels; rectangles may overlap.
    public var damage: [Rectangle] { recentDamage[Self.slot(number)] }
    /// The damage of the last 8 numbers, each in the slot of its number.
    var recentDamage = InlineArray<8, [Rectangle]>(repeating: [])
    /// The size in pixels.
    public internal(set) var size = VideoSize(width: 0, height: 0)
    /// All tiles in the order of the wall, including hidden ones.
    public internal(set) var tiles: [Tile] = []
    /// The drawing order: the index of each tile once, from the bottom to the top.
    public internal(set) var order: [Int] = []
    /// The effects on the whole wall, before its overlays.
    public internal(set) var effects = EffectChain()
    /// How these are drawn.
    package internal(set) var effectPlan = EffectPlan()
    /// What these effects depend on besides the picture.
    public internal(set) var effectInputs = EffectInputs()
    /// The longest time that effects may take, in each tile and on the whole wall; `nil` if they are not measured.
    public internal(set) var effectBudget: Duration?
    /// The colour of what neither a picture nor a tile without one covers: R, G and B, 0…1.
    public internal(set) var surround = SIMD3<Float>.zero
    /// The overlays over all tiles, in drawing order.
    public internal(set) var overlays: [WallOverlay] = []
    /// The colours of the screen or target.
    public internal(set) var colorTarget = ColorTarget.sRGB
    /// Which frames are converted to ``colorTarget``.
    public internal(set) var colorConversion = ColorConversionMode.auto

    /// All pixels of the scene.
    public var bounds: Rectangle { Rectangle(x: 0, y: 0, width: size.width, height: size.height) }

    /// Collects the rectangles that have changed since an earlier scene of the wall, with little overlap.
    ///
    /// **Cost:** every frame; allocates nothing if `parts` has enough capacity.
    /// - Parameters:
    ///   - earlier: the number of that scene.
    ///   - parts: the rectangles are appended here, except those that another one covers.
    /// - Returns: whether the changes are known, as they are for the last 8 numbers.
    public func addDamage(since earlier: Int, to parts: inout [Rectangle]) -> Bool {
        guard earlier >= max(0, number - recentDamage.count), earlier <= number else { return false }
        // The newest first: after a change of the layout, it covers everything.
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

    /// The slot for the damage of a number.
    static func slot(_ number: Int) -> Int { number & 7 }

    private static func isCovered(_ part: Rectangle, by parts: [Rectangle]) -> Bool {
        // By index: without optimisation, an array's iterator allocates.
        for index in parts.indices where part.intersection(parts[index]) == part { return true }
        return false
    }

    /// The index of the topmost tile at a position, y downwards; `nil` outside all tiles.
    public func tile(atX x: Double, y: Double) -> Int? {
        order.last { tiles[$0].rectangle.contains(x: x, y: y) }
    }
}

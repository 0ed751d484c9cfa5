public import MediaIO

/// Places each tile freely, relative to the wall: for example one large tile with small ones over it.
public struct FreeLayout: WallLayout, Hashable {
    /// A part of the wall: 0 is its left or upper edge, 1 its right or lower one.
    public struct Place: Hashable, Sendable {
        /// The left edge.
        public var x: Double
        /// The upper edge.
        public var y: Double
        /// The width.
        public var width: Double
        /// The height.
        public var height: Double

        /// Creates a place; edges outside 0…1 are clamped when it is used.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// One place per tile; tiles beyond the last place are hidden.
    public var places: [Place]

    /// Creates a layout from places, in the order of the tiles.
    public init(_ places: [Place]) { self.places = places }

    /// The number of places.
    public var capacity: Int? { places.count }

    /// The places in whole pixels: edges are rounded, so adjacent places have neither a gap nor an overlap.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        aspectRatios.indices.map { index in
            guard places.indices.contains(index) else { return Rectangle(x: 0, y: 0, width: 0, height: 0) }
            let place = places[index]
            let (left, right) = Self.edges(place.x, place.width, size.width)
            let (top, bottom) = Self.edges(place.y, place.height, size.height)
            return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
        }
    }

    private static func edges(_ start: Double, _ length: Double, _ pixels: Int) -> (Int, Int) {
        // NaN compares false and becomes 0.
        let pixels = Double(min(max(pixels, 0), LayoutLimits.length))
        func edge(_ part: Double) -> Int { part > 0 ? Int((min(part, 1) * pixels).rounded()) : 0 }
        let first = edge(start)
        return (first, max(first, edge(start + length)))
    }
}

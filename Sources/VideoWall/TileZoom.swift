/// A part of a picture, enlarged: it is drawn from the pixels of the source.
public struct TileZoom: Hashable, Sendable {
    /// How many times the sides of the picture are as long, at least 1.
    public var scale: Double
    /// What is in the middle of the tile, if possible: 0 is the left edge of the picture as shown, 1 its right edge.
    public var x: Double
    /// The same downwards: 0 is its upper edge, 1 its lower edge.
    public var y: Double

    /// Enlarges a picture around a point.
    public init(scale: Double, x: Double, y: Double) {
        self.scale = scale
        self.x = x
        self.y = y
    }
}

/// A rectangle of whole pixels, y downwards from the top.
public struct Rectangle: Hashable, Sendable {
    /// The left edge.
    public var x: Int
    /// The upper edge.
    public var y: Int
    /// Pixels in a row, 0 or more.
    public var width: Int
    /// Rows, 0 or more.
    public var height: Int

    /// Creates a rectangle from its upper left corner and its size.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether the pixel (x, y) lies inside.
    public func contains(x: Double, y: Double) -> Bool {
        x >= Double(self.x) && y >= Double(self.y) && x < Double(self.x + width) && y < Double(self.y + height)
    }
}

/// A rectangle of whole pixels, y downwards from the top.
public struct Rectangle: Hashable, Sendable {
    /// The left edge.
    public var x: Int
    /// The upper edge.
    public var y: Int
    /// The width, 0 or more.
    public var width: Int
    /// The height, 0 or more.
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

    /// Whether any pixel lies in both.
    public func intersects(_ other: Rectangle) -> Bool {
        let both = intersection(other)
        return both.width > 0 && both.height > 0
    }

    /// The part that lies in both; its width or height is 0 if there is none.
    public func intersection(_ other: Rectangle) -> Rectangle {
        // Edges beyond any frame are clamped first, so that the sums cannot overflow.
        func span(_ start: Int, _ length: Int, _ first: Int, _ size: Int) -> (start: Int, length: Int) {
            let low = max(first, min(start, first + size))
            let (sum, overflow) = start.addingReportingOverflow(max(0, length))
            return (low, max(0, min(overflow ? .max : sum, first + size) - low))
        }
        let (left, width) = span(x, width, other.x, other.width)
        let (top, height) = span(y, height, other.y, other.height)
        return Rectangle(x: left, y: top, width: width, height: height)
    }
}

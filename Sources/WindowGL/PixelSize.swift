/// A width and a height, in pixels unless said otherwise.
public struct PixelSize: Hashable, Sendable {
    /// The largest side of a window; X11's protocol ends at twice this.
    public static let maximumSide = 16_384

    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Creates a size from a width and a height.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

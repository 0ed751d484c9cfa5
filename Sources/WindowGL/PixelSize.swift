/// A width and a height, in pixels unless stated otherwise.
public struct PixelSize: Hashable, Sendable {
    /// The largest side of a window; X11's limit is twice this.
    public static let maximumSide = 16_384

    /// The width.
    public var width: Int
    /// The height.
    public var height: Int

    /// Creates a size from a width and a height.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

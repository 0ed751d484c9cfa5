public import MediaIO

/// Divides a wall among its tiles.
///
/// **Thread:** the wall's.
public protocol WallLayout: Sendable {
    /// How many tiles have room; `nil` for any number.
    var capacity: Int? { get }

    /// Places the tiles.
    ///
    /// Rectangles may overlap: later tiles are drawn over earlier ones.
    ///
    /// **Cost:** rare: only when the size, the number of tiles or a shape has changed.
    /// - Parameters:
    ///   - aspectRatios: width to height of each picture as shown; their number is the number of tiles.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle a tile, in the order of the tiles; an empty one hides its tile.
    func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle]
}

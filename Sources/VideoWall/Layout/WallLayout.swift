public import MediaIO

/// Divides a wall among its tiles.
///
/// **Thread:** the wall's.
public protocol WallLayout: Sendable {
    /// The largest number of tiles; `nil` for any number.
    var capacity: Int? { get }

    /// Places the tiles.
    ///
    /// Rectangles may overlap: later tiles are drawn over earlier ones.
    ///
    /// **Cost:** rare: only when the size, the number of tiles or an aspect ratio changes.
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile, in the order of the tiles; an empty one hides its tile.
    func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle]
}

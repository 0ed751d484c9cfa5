public import MediaIO

/// Divides a wall among its tiles.
///
/// **Thread:** the wall's.
public protocol WallLayout: Sendable {
    /// The largest number of tiles; `nil` for any number.
    var capacity: Int? { get }

    /// Places the tiles.
    ///
    /// Rectangles may overlap: ``order(ofTiles:)`` says which tile is above which.
    ///
    /// **Cost:** rare: only when the size, the number of tiles or an aspect ratio changes.
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile, in the order of the tiles; an empty one hides its tile.
    func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle]

    /// The drawing order of the tiles.
    ///
    /// **Cost:** rare, like ``rectangles(aspectRatios:in:)``.
    /// - Parameter count: the number of tiles, at least 0.
    /// - Returns: the indices of the tiles, 0..<count, each once, from the bottom to the top.
    func order(ofTiles count: Int) -> [Int]
}

extension WallLayout {
    /// That of the tiles, the default: later ones are drawn over earlier ones.
    public func order(ofTiles count: Int) -> [Int] { Array(0..<count) }
}

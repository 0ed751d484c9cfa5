public import MediaIO

/// Shows only one tile, which fills the wall.
public struct FocusLayout: WallLayout, Hashable {
    /// The index of the tile; one beyond the last tile counts as the last, a negative one as the first.
    public var index: Int

    /// Creates a layout.
    ///
    /// - Parameter index: the index of the tile.
    public init(index: Int) { self.index = index }

    /// `nil`: any number of tiles, of which one is visible.
    public var capacity: Int? { nil }

    /// The whole wall for one tile, and an empty rectangle for each other one.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        let shown = LayoutLimits.index(index, of: aspectRatios.count)
        let whole = size.area(inside: 0)
        return aspectRatios.indices.map { $0 == shown && !whole.isEmpty ? whole : .hidden }
    }
}

public import MediaIO

/// Shows the tiles page by page, each page as another layout does.
public struct PagedLayout: WallLayout {
    /// The layout of each page.
    public var base: any WallLayout
    /// The number of tiles on a page, at least 1; smaller ones count as 1.
    public var size: Int { didSet { size = max(1, size) } }
    /// The page that is shown, from 0; one beyond the last counts as the last, a negative one as the first.
    public var page: Int

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - base: the layout of each page.
    ///   - size: the number of tiles on a page, at least 1.
    ///   - page: the page that is shown, from 0.
    public init(base: any WallLayout, size: Int, page: Int = 0) {
        self.base = base
        self.size = max(1, size)
        self.page = page
    }

    /// `nil`: any number of tiles.
    public var capacity: Int? { nil }

    /// The number of pages.
    ///
    /// - Parameter tiles: the number of tiles, at least 0.
    /// - Returns: at least 1: without tiles, there is an empty page.
    public func pageCount(of tiles: Int) -> Int { max(1, tiles / size + (tiles % size > 0 ? 1 : 0)) }

    /// The tiles of the page that is shown.
    private func shown(of count: Int) -> Range<Int> {
        let first = LayoutLimits.index(page, of: pageCount(of: count)) * size
        return first..<first + min(size, count - first)
    }

    /// The tiles of other pages, which are hidden, then those of the page in the order of its layout.
    public func order(ofTiles count: Int) -> [Int] {
        let shown = shown(of: count)
        return (0..<count).filter { !shown.contains($0) }
            + base.order(ofTiles: shown.count).map { $0 + shown.lowerBound }
    }

    /// The tiles of one page as if they were alone, and an empty rectangle for each other one.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        let shown = shown(of: aspectRatios.count)
        var rectangles = aspectRatios.map { _ in Rectangle.hidden }
        let page = base.rectangles(aspectRatios: Array(aspectRatios[shown]), in: size)
        for (index, rectangle) in zip(shown, page) { rectangles[index] = rectangle }
        return rectangles
    }
}

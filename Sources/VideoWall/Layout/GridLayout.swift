public import MediaIO
import VitrailSupport

/// Divides a wall into rows and columns of tiles.
public struct GridLayout: WallLayout, Hashable {
    /// The number of rows, at least 1, or `nil` for automatic.
    public var rows: Int? { didSet { check() } }
    /// The number of columns, at least 1, or `nil` for automatic.
    public var columns: Int? { didSet { check() } }
    /// The gap between two tiles in pixels, at least 0.
    public var gap: Int { didSet { check() } }
    /// The margin around the whole wall in pixels, at least 0.
    public var margin: Int { didSet { check() } }
    /// The relative widths of the columns, from the left, 0.01…100; empty for equal ones.
    ///
    /// A column beyond the last share has 1; shares outside the range are clamped.
    public var columnShares: [Double] { didSet { columnShares = Self.clamped(columnShares) } }
    /// The relative heights of the rows, from the top, 0.01…100; empty for equal ones.
    ///
    /// A row beyond the last share has 1; shares outside the range are clamped.
    public var rowShares: [Double] { didSet { rowShares = Self.clamped(rowShares) } }

    /// Creates a layout.
    ///
    /// An automatic grid is the one in which the frames cover the most pixels.
    ///
    /// - Parameters:
    ///   - rows: the number of rows, at least 1, or `nil`.
    ///   - columns: the number of columns, at least 1, or `nil`.
    ///   - gap: the gap between two tiles in pixels, at least 0.
    ///   - margin: the margin around the whole wall in pixels, at least 0.
    ///   - columnShares: the relative widths of the columns, 0.01…100.
    ///   - rowShares: the relative heights of the rows, 0.01…100.
    public init(
        rows: Int? = nil, columns: Int? = nil, gap: Int = 0, margin: Int = 0, columnShares: [Double] = [],
        rowShares: [Double] = []
    ) {
        self.rows = rows
        self.columns = columns
        self.gap = gap
        self.margin = margin
        self.columnShares = Self.clamped(columnShares)
        self.rowShares = Self.clamped(rowShares)
        check()
    }

    private func check() {
        require(
            rows ?? 1 > 0 && columns ?? 1 > 0 && gap >= 0, "A grid needs a row and a column, and no negative gap.")
        require(margin >= 0, LayoutLimits.rule)
    }

    private static func clamped(_ shares: [Double]) -> [Double] {
        shares.map { LayoutLimits.clamp($0, 0.01...100, 1) }
    }

    /// `rows` × `columns` if both are given.
    public var capacity: Int? {
        guard let rows, let columns else { return nil }
        let (product, overflow) = rows.multipliedReportingOverflow(by: columns)
        return overflow ? .max : product
    }

    /// The tiles, in reading order; an incomplete last row is centred if all columns are equally wide.
    ///
    /// Widths that do not divide evenly differ by one pixel, so the tiles cover the wall without seams. Tiles beyond
    /// `rows` × `columns` get an empty rectangle, as do all if `size` has no room for them.
    ///
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        rectangles(aspectRatios, in: size.area(inside: margin))
    }

    /// The tiles in a part of the wall, whatever the margin.
    func rectangles(_ aspectRatios: [Double], in area: Rectangle) -> [Rectangle] {
        let count = aspectRatios.count
        guard count > 0 else { return [] }
        let (rows, columns) = shape(aspectRatios, area)
        let across = Division(count: columns, length: area.width, gap: gap, shares: columnShares)
        let down = Division(count: rows, length: area.height, gap: gap, shares: rowShares)
        let hasRoom = across.room >= columns && down.room >= rows
        return (0..<count).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            guard hasRoom, row < rows else { return .hidden }
            let missing = row == (count - 1) / columns ? (row + 1) * columns - count : 0
            let (x, width) = across.span(column)
            let (y, height) = down.span(row)
            guard width > 0, height > 0 else { return .hidden }
            let isShifted = missing > 0 && columnShares.isEmpty
            let shift = isShifted ? missing * (area.width + across.gap) / columns / 2 : 0
            return Rectangle(x: area.x + x + shift, y: area.y + y, width: width, height: height)
        }
    }

    private func shape(_ aspectRatios: [Double], _ area: Rectangle) -> (rows: Int, columns: Int) {
        let count = aspectRatios.count
        let given = (
            rows: rows.map { min($0, LayoutLimits.length) }, columns: columns.map { min($0, LayoutLimits.length) }
        )
        if let rows = given.rows { return (rows, given.columns ?? max(1, (count + rows - 1) / rows)) }
        if let columns = given.columns { return ((count + columns - 1) / columns, columns) }
        var best = (rows: 1, columns: count)
        var bestArea = -1.0
        for columns in (1...count).reversed() {
            let rows = (count + columns - 1) / columns
            let widths = Division(count: columns, length: area.width, gap: gap, shares: columnShares).lengths
            let heights = Division(count: rows, length: area.height, gap: gap, shares: rowShares).lengths
            guard widths[0] > 0, heights[0] > 0 else { continue }
            var area = 0.0
            for index in 0..<count {
                let (row, column) = index.quotientAndRemainder(dividingBy: columns)
                let (width, height, ratio) = (widths[column], heights[row], aspectRatios[index])
                area += min(width, height * ratio) * min(height, width / ratio)
            }
            // If equal except for the gaps, more columns win: two frames are side by side.
            if area > bestArea * 1.001 {
                bestArea = area
                best = (rows, columns)
            }
        }
        return best
    }

    /// A length that is divided among rows or columns.
    private struct Division {
        let count: Int
        let gap: Int
        let shares: [Double]
        /// The pixels without the gaps; negative if there is no room.
        let room: Int

        init(count: Int, length: Int, gap: Int, shares: [Double]) {
            self.count = count
            self.gap = min(gap, LayoutLimits.length)
            self.shares = shares
            room = length - self.gap * (count - 1)
        }

        /// The sum of the first shares.
        private func sum(_ count: Int) -> Double {
            let known = min(count, shares.count)
            return shares[..<known].reduce(Double(count - known), +)
        }

        /// The lengths before they are rounded to pixels.
        var lengths: [Double] {
            if shares.isEmpty { return Array(repeating: Double(room) / Double(count), count: count) }
            let total = sum(count)
            return (0..<count).map { Double(room) * ($0 < shares.count ? shares[$0] : 1) / total }
        }

        /// The pixels of a row or column.
        func span(_ index: Int) -> (start: Int, length: Int) {
            let start = edge(index)
            return (start + index * gap, edge(index + 1) - start)
        }

        private func edge(_ index: Int) -> Int {
            if shares.isEmpty { return index * room / count }
            return Int((Double(room) * sum(index) / sum(count)).rounded())
        }
    }
}

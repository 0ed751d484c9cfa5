public import MediaIO

/// Cuts a wall into tiles of equal size.
public struct GridLayout: WallLayout, Hashable {
    /// Rows, or `nil` to choose.
    public var rows: Int?
    /// Columns, or `nil` to choose.
    public var columns: Int?
    /// Pixels between two tiles.
    public var gap: Int

    /// Creates a layout.
    ///
    /// What is `nil` is chosen: the grid in which the pictures cover the most pixels.
    ///
    /// - Parameters:
    ///   - rows: at least 1, or `nil`.
    ///   - columns: at least 1, or `nil`.
    ///   - gap: pixels between two tiles, at least 0.
    public init(rows: Int? = nil, columns: Int? = nil, gap: Int = 0) {
        precondition(rows ?? 1 > 0 && columns ?? 1 > 0 && gap >= 0, "A grid has at least one row and one column.")
        self.rows = rows
        self.columns = columns
        self.gap = gap
    }

    /// `rows` × `columns` where both are given.
    public var capacity: Int? { rows.flatMap { rows in columns.map { rows * $0 } } }

    /// The tiles, in reading order; an incomplete last row is centred.
    ///
    /// Widths that do not divide evenly differ by one pixel, so the tiles cover the picture without a seam. Tiles beyond
    /// `rows` × `columns` get an empty rectangle, as do all when `size` has no room for them.
    ///
    /// - Parameters:
    ///   - aspectRatios: width to height of each picture as shown; their number is the number of tiles.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle a tile.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        let count = aspectRatios.count
        guard count > 0 else { return [] }
        let (rows, columns) = shape(aspectRatios, size)
        let hasRoom = size.width - gap * (columns - 1) >= columns && size.height - gap * (rows - 1) >= rows
        return (0..<count).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            guard hasRoom, row < rows else { return Rectangle(x: 0, y: 0, width: 0, height: 0) }
            let missing = row == (count - 1) / columns ? (row + 1) * columns - count : 0
            let (x, width) = span(column, of: columns, length: size.width)
            let (y, height) = span(row, of: rows, length: size.height)
            let shift = missing > 0 ? missing * (size.width + gap) / columns / 2 : 0
            return Rectangle(x: x + shift, y: y, width: width, height: height)
        }
    }

    private func shape(_ aspectRatios: [Double], _ size: VideoSize) -> (rows: Int, columns: Int) {
        let count = aspectRatios.count
        if let rows { return (rows, columns ?? max(1, (count + rows - 1) / rows)) }
        if let columns { return ((count + columns - 1) / columns, columns) }
        var best = (rows: 1, columns: count)
        var bestArea = -1.0
        for columns in (1...count).reversed() {
            let rows = (count + columns - 1) / columns
            let width = Double(size.width - gap * (columns - 1)) / Double(columns)
            let height = Double(size.height - gap * (rows - 1)) / Double(rows)
            guard width > 0, height > 0 else { continue }
            let area = aspectRatios.reduce(0.0) { $0 + min(width, height * $1) * min(height, width / $1) }
            // A tie, but for the gaps, goes to more columns: two pictures stand side by side.
            if area > bestArea * 1.001 {
                bestArea = area
                best = (rows, columns)
            }
        }
        return best
    }

    private func span(_ index: Int, of count: Int, length: Int) -> (start: Int, length: Int) {
        let room = length - gap * (count - 1)
        let start = index * room / count
        return (start + index * gap, (index + 1) * room / count - start)
    }
}

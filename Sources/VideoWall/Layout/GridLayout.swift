public import MediaIO
import VitrailSupport

/// Divides a wall into tiles of equal size.
public struct GridLayout: WallLayout, Hashable {
    /// The number of rows, at least 1, or `nil` for automatic.
    public var rows: Int? { didSet { check() } }
    /// The number of columns, at least 1, or `nil` for automatic.
    public var columns: Int? { didSet { check() } }
    /// The gap between two tiles in pixels, at least 0.
    public var gap: Int { didSet { check() } }

    /// Creates a layout.
    ///
    /// An automatic grid is the one in which the frames cover the most pixels.
    ///
    /// - Parameters:
    ///   - rows: the number of rows, at least 1, or `nil`.
    ///   - columns: the number of columns, at least 1, or `nil`.
    ///   - gap: the gap between two tiles in pixels, at least 0.
    public init(rows: Int? = nil, columns: Int? = nil, gap: Int = 0) {
        self.rows = rows
        self.columns = columns
        self.gap = gap
        check()
    }

    private func check() {
        require(
            rows ?? 1 > 0 && columns ?? 1 > 0 && gap >= 0, "A grid needs a row and a column, and no negative gap.")
    }

    /// `rows` × `columns` if both are given.
    public var capacity: Int? { rows.flatMap { rows in columns.map { rows * $0 } } }

    /// The tiles, in reading order; an incomplete last row is centred.
    ///
    /// Widths that do not divide evenly differ by one pixel, so the tiles cover the wall without seams. Tiles beyond
    /// `rows` × `columns` get an empty rectangle, as do all if `size` has no room for them.
    ///
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile.
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
            // If equal except for the gaps, more columns win: two frames are side by side.
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

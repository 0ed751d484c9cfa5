import VideoWall

/// Tiles in the cells of a grid, of which some may be empty.
struct GridCells {
    /// The most rows and columns.
    static let most = 100

    /// The cells that a tile covers.
    struct Span: Hashable {
        /// The first row, from 0.
        var row: Int
        /// The first column, from 0.
        var column: Int
        /// How many rows.
        var rows = 1
        /// How many columns.
        var columns = 1
    }

    /// The rows and columns, at least 1.
    let (rows, columns): (Int, Int)
    private var taken: [Bool]
    private var tiles: [(span: Span, input: WallInput)] = []

    /// Creates an empty grid; `nil` if its size is out of all proportion.
    init?(rows: Int, columns: Int) {
        guard (1...Self.most).contains(rows), (1...Self.most).contains(columns) else { return nil }
        (self.rows, self.columns) = (rows, columns)
        taken = Array(repeating: false, count: rows * columns)
    }

    /// Takes cells: those of the span that lie in the grid, or only the first one if another tile has any of them.
    ///
    /// - Parameter span: the first cell must lie in the grid.
    /// - Returns: what is taken.
    mutating func take(_ span: Span) -> Span {
        var span = span
        span.rows = min(max(1, span.rows), rows - span.row)
        span.columns = min(max(1, span.columns), columns - span.column)
        if indices(of: span).contains(where: { taken[$0] }) { (span.rows, span.columns) = (1, 1) }
        for index in indices(of: span) { taken[index] = true }
        return span
    }

    /// The first cell that nobody has taken; `nil` if there is none.
    var free: Span? {
        taken.firstIndex(of: false).map { Span(row: $0 / columns, column: $0 % columns) }
    }

    /// Puts an input into cells.
    mutating func put(_ input: WallInput, in span: Span) { tiles.append((span, input)) }

    /// Makes a layout of it: a grid if each cell has one tile, and places otherwise, so that all stay where they were.
    func lay(out wall: inout WallConversion) {
        let sorted = tiles.sorted { ($0.span.row, $0.span.column) < ($1.span.row, $1.span.column) }
        let isPlain = sorted.enumerated().allSatisfy { index, tile in
            tile.span == Span(row: index / columns, column: index % columns)
        }
        if isPlain, sorted.count == rows * columns {
            wall.document.layout = LayoutSettings(kind: .grid, rows: rows, columns: columns)
            for tile in sorted { wall.add(tile.input) }
        } else {
            wall.document.layout.kind = .free
            for (span, input) in tiles {
                var input = input
                input.place = place(of: span)
                wall.add(input)
            }
        }
    }

    private func place(of span: Span) -> FreeLayout.Place {
        FreeLayout.Place(
            x: Double(span.column) / Double(columns), y: Double(span.row) / Double(rows),
            width: Double(span.columns) / Double(columns), height: Double(span.rows) / Double(rows))
    }

    private func indices(of span: Span) -> some Sequence<Int> {
        (span.row..<(span.row + span.rows)).lazy.flatMap { row in
            (row * columns + span.column)..<(row * columns + span.column + span.columns)
        }
    }
}

import MediaIO
import VideoWall
import WindowGL

/// A menu over the wall: what can be done with a tile and with the wall.
struct WallMenu {
    /// A line of the menu.
    struct Entry {
        let title: String
        let keys: String
        let action: ViewerAction
        let words: [String]
    }

    /// The tile that it is about; `nil` for the wall only.
    let tile: WallTile?
    /// The lines, in groups with a line between them.
    let groups: [[Entry]]
    /// Where it was opened.
    private let place: WindowEvent.MousePosition
    /// The line that is chosen, among all groups.
    var chosen = 0
    private var images: (size: VideoSize, rows: [(title: CoverageImage, keys: CoverageImage)])?

    /// Makes the menu of a tile or of the wall.
    init(of tile: WallTile?, at place: WindowEvent.MousePosition) {
        (self.tile, self.place) = (tile, place)
        let sections: [ViewerAction.Section] =
            tile == nil ? [.wall, .layout, .program] : [.tile, .wall, .layout, .program]
        groups = sections.map { section in
            ActionTable.all.filter {
                $0.section == section || tile != nil && section == .tile && $0.section == .effects
            }
            .flatMap { action in
                action.menu.map { item in
                    Entry(
                        title: item.title, keys: ActionHelp.firstKey(of: action, item.words), action: action,
                        words: item.words)
                }
            }
        }.filter { !$0.isEmpty }
    }

    /// All lines.
    var entries: [Entry] { groups.flatMap(\.self) }

    /// Chooses the next (1) or previous (-1) line.
    mutating func move(_ step: Int) { chosen = (chosen + step + entries.count) % max(1, entries.count) }

    // MARK: Places

    private struct Metrics {
        var fontSize: Int
        var area: Rectangle
        /// The row of each line.
        var rows: [Rectangle]
    }

    /// As many columns as the letters need to be readable, if there is room for them.
    private func metrics(in size: VideoSize) -> Metrics {
        let rowCount = entries.count + groups.count - 1
        func fontSize(_ columns: Int) -> Int {
            let rows = (rowCount + columns - 1) / columns
            return max(
                1, min(Panel.fontSize(in: size), size.height * 6 / (10 * (rows + 2)), size.width / (24 * columns)))
        }
        let columns = (1...3).first { fontSize($0) >= min(12, Panel.fontSize(in: size)) }
        let count = columns ?? (1...3).max { fontSize($0) < fontSize($1) } ?? 1
        let fontSize = fontSize(count)
        let (rowHeight, columnWidth) = (fontSize * 8 / 5, 24 * fontSize)
        let rowsPerColumn = (rowCount + count - 1) / count
        let (width, height) = (columnWidth * count, rowHeight * rowsPerColumn + fontSize)
        let x = min(max(0, Int(place.x)), max(0, size.width - width))
        let y = min(max(0, Int(place.y)), max(0, size.height - height))
        var (rows, left, row, lowest): ([Rectangle], Int, Int, Int) = ([], x, y + fontSize / 2, 0)
        for group in groups {
            for _ in group {
                if row + rowHeight > y + height { (left, row) = (left + columnWidth, y + fontSize / 2) }
                rows.append(Rectangle(x: left, y: row, width: columnWidth, height: rowHeight))
                row += rowHeight
                lowest = max(lowest, row)
            }
            row += rowHeight / 2
        }
        let area = Rectangle(x: x, y: y, width: width, height: lowest + fontSize / 2 - y)
        return Metrics(fontSize: fontSize, area: area, rows: rows)
    }

    /// The line at a position; `nil` beside all of them.
    func entry(at place: WindowEvent.MousePosition, in size: VideoSize) -> Int? {
        metrics(in: size).rows.firstIndex { $0.contains(x: place.x, y: place.y) }
    }

    /// The menu as it is drawn.
    mutating func overlays(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        let metrics = metrics(in: size)
        if images?.size != size {
            let style = TextStyle(fontSize: metrics.fontSize)
            let room = VideoSize(width: metrics.area.width, height: metrics.fontSize * 3)
            images = (
                size,
                entries.map { entry in
                    (
                        painter.coverage(of: entry.title, style, in: room),
                        painter.coverage(of: entry.keys.isEmpty ? " " : entry.keys, style, in: room)
                    )
                }
            )
        }
        var overlays = [WallOverlay(filling: metrics.area, with: Panel.background)]
        if metrics.rows.indices.contains(chosen) {
            overlays.append(
                WallOverlay(filling: metrics.rows[chosen], with: Panel.accent * SIMD4(1, 1, 1, 0.35)))
        }
        for (row, images) in zip(metrics.rows, images?.rows ?? []) {
            let y = row.y + (row.height - images.title.size.height) / 2
            overlays.append(WallOverlay(images.title, x: row.x + metrics.fontSize, y: y))
            overlays.append(
                WallOverlay(
                    images.keys, x: row.x + row.width - metrics.fontSize - images.keys.size.width, y: y,
                    color: SIMD4(1, 1, 1, 0.6)))
        }
        return overlays
    }
}

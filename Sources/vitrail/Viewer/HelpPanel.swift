import MediaIO
import VideoWall

/// All keys over the wall, in columns.
struct HelpPanel {
    private static let background = SIMD4<Float>(0.043, 0.055, 0.067, 0.92)
    private static let heading = SIMD4<Float>(0.345, 0.651, 1, 1)
    private static let dim = SIMD4<Float>(1, 1, 1, 0.7)

    /// One line: a heading, or a key and what it does.
    private struct Row {
        var heading = ""
        var key = ""
        var help = ""
    }

    private var made: (size: VideoSize, overlays: [WallOverlay])?

    /// The images, in the middle of the wall.
    mutating func overlays(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        if let made, made.size == size { return made.overlays }
        let overlays = Self.make(in: size, painter)
        made = (size, overlays)
        return overlays
    }

    private static func make(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        let columns = columns(size.width >= 1000 ? 2 : 1)
        let rows = columns.map(\.count).max() ?? 1
        // A line is about 1.4 times as high as its letters.
        var fontSize = min(max(14, size.height / 50), max(8, size.height * 9 / (14 * (rows + 3))))
        while true {
            let texts = texts(columns, fontSize, size, painter)
            let width = texts.map { $0.x + $0.image.size.width }.max() ?? 0
            if width + 2 * fontSize <= size.width || fontSize <= 8 { return panel(texts, width, fontSize, size) }
            fontSize -= 1
        }
    }

    /// The texts of all columns, side by side from the upper left corner.
    private static func texts(
        _ columns: [[Row]], _ fontSize: Int, _ size: VideoSize, _ painter: any TextPainter
    ) -> [WallOverlay] {
        let room = VideoSize(width: 2 * size.width, height: max(1, size.height))
        var texts: [WallOverlay] = []
        var x = 0
        for column in columns {
            func text(_ part: KeyPath<Row, String>, _ color: SIMD4<Float>, at x: Int) -> WallOverlay {
                let lines = column.map { $0[keyPath: part].isEmpty ? " " : $0[keyPath: part] }.joined(separator: "\n")
                return WallOverlay(
                    painter.coverage(of: lines, TextStyle(fontSize: fontSize), in: room), x: x, y: 0, color: color)
            }
            let keys = text(\.key, SIMD4(1, 1, 1, 1), at: x)
            let help = text(\.help, dim, at: x + keys.image.size.width + fontSize)
            texts += [text(\.heading, heading, at: x), keys, help]
            x = help.x + help.image.size.width + 2 * fontSize
        }
        return texts
    }

    /// The texts in the middle of the wall, on a background.
    private static func panel(
        _ texts: [WallOverlay], _ width: Int, _ fontSize: Int, _ size: VideoSize
    ) -> [WallOverlay] {
        let height = texts.map(\.image.size.height).max() ?? 0
        let (x, y) = (max(fontSize, (size.width - width) / 2), max(fontSize, (size.height - height) / 2))
        let panel = Rectangle(
            x: x - fontSize, y: y - fontSize, width: width + 2 * fontSize, height: height + 2 * fontSize)
        let placed = texts.map { text in
            var text = text
            text.x += x
            text.y += y
            return text
        }
        return [WallOverlay(filling: panel, with: background)] + placed
    }

    /// The rows, in columns of about the same height that begin with headings.
    private static func columns(_ count: Int) -> [[Row]] {
        var sections: [[Row]] = ViewerAction.Section.allCases.map { section in
            let actions = ActionTable.all.filter { $0.section == section && !$0.bindings.isEmpty }
            return [Row(heading: section.rawValue)]
                + actions.map { Row(key: ActionHelp.keys(of: $0), help: $0.help) }
        }
        let total = sections.reduce(0) { $0 + $1.count + 1 }
        var columns: [[Row]] = []
        while !sections.isEmpty {
            var column: [Row] = []
            let isLast = columns.count == count - 1
            while let next = sections.first, column.isEmpty || isLast || column.count + next.count / 2 < total / count {
                column += (column.isEmpty ? [] : [Row()]) + next
                sections.removeFirst()
            }
            columns.append(column)
        }
        return columns
    }
}

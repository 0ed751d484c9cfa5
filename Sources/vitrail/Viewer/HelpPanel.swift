import MediaIO
import VideoWall

/// All keys over the wall, in columns, and on pages if there is not enough room.
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

    /// The page that is shown; `nil` while the panel is closed.
    private(set) var page: Int?
    private var made: (size: VideoSize, pages: [[WallOverlay]])?
    /// Letters of so many pixels can be read; smaller ones are divided among pages.
    private static let readable = 11

    /// Opens the panel, turns to its next page, and after the last one closes it.
    mutating func turn() {
        let next = page.map { $0 + 1 } ?? 0
        // Before it was drawn, it is not known how many pages there are.
        page = next < made?.pages.count ?? 1 ? next : nil
    }

    /// Opens the panel, or closes it.
    mutating func show(_ isShown: Bool) { page = isShown ? page ?? 0 : nil }

    /// The images of the page, in the middle of the wall.
    mutating func overlays(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        if made?.size != size { made = (size, Self.make(in: size, painter)) }
        guard let page, let pages = made?.pages, !pages.isEmpty else { return [] }
        return pages[min(page, pages.count - 1)]
    }

    /// The fewest pages on which the letters can be read, or else those with the largest.
    private static func make(in size: VideoSize, _ painter: any TextPainter) -> [[WallOverlay]] {
        var best: (pages: [[[Row]]], fontSize: Int) = ([], 0)
        let sections = sections
        for pages in 1...sections.count where best.fontSize < readable {
            for columns in 1...max(1, sections.count / pages) {
                let divided = divide(sections, among: pages * columns)
                let found = stride(from: 0, to: divided.count, by: columns).map {
                    Array(divided[$0..<min($0 + columns, divided.count)])
                }
                let fontSize = found.map { Self.fontSize(of: $0, size, painter) }.min() ?? 0
                if fontSize > best.fontSize { best = (found, fontSize) }
            }
        }
        let key = ActionTable.action(named: "help").map { ActionHelp.firstKey(of: $0, []) } ?? ""
        return best.pages.enumerated().map { index, columns in
            var columns = columns
            if best.pages.count > 1, let last = columns.indices.last {
                let next = index + 1 < best.pages.count ? "more" : "closes it"
                columns[last] += [
                    Row(), Row(heading: "\(index + 1) of \(best.pages.count)"), Row(key: key, help: next),
                ]
            }
            return panel(texts(columns, best.fontSize, size, painter), best.fontSize, size)
        }
    }

    /// The largest letters with which columns fit on the wall.
    private static func fontSize(of columns: [[Row]], _ size: VideoSize, _ painter: any TextPainter) -> Int {
        let rows = columns.map(\.count).max() ?? 1
        // A line is about 1.4 times as high as its letters; there is a margin, and a hint of three lines.
        let highest = min(max(14, size.height / 50), size.height * 9 / (14 * (rows + 5)))
        // Widths grow with the letters.
        let sample = 20
        let width = width(texts(columns, sample, size, painter))
        return max(1, min(highest, size.width * sample / (width + 2 * sample)))
    }

    private static func width(_ texts: [WallOverlay]) -> Int { texts.map { $0.x + $0.image.size.width }.max() ?? 0 }

    /// The texts of all columns, side by side from the upper left corner.
    private static func texts(
        _ columns: [[Row]], _ fontSize: Int, _ size: VideoSize, _ painter: any TextPainter
    ) -> [WallOverlay] {
        // More than there is: what is too wide must not be wrapped before its width is known.
        let room = VideoSize(width: 8 * size.width, height: 8 * max(1, size.height))
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
    private static func panel(_ texts: [WallOverlay], _ fontSize: Int, _ size: VideoSize) -> [WallOverlay] {
        let width = width(texts)
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

    /// The rows under each heading.
    private static var sections: [[Row]] {
        ViewerAction.Section.allCases.map { section in
            let actions = ActionTable.all.filter { $0.section == section && !$0.bindings.isEmpty }
            return [Row(heading: section.rawValue)]
                + actions.map { Row(key: ActionHelp.keys(of: $0), help: $0.help) }
        }
    }

    /// Divides sections among so many columns or fewer, in their order, so that the longest column is the shortest possible.
    private static func divide(_ sections: [[Row]], among count: Int) -> [[Row]] {
        let whole = Array(sections.joined(separator: [Row()]))
        guard count > 1, sections.count > 1 else { return [whole] }
        var best = [whole]
        for length in 1..<sections.count {
            let first = Array(sections[..<length].joined(separator: [Row()]))
            let found = [first] + divide(Array(sections[length...]), among: count - 1)
            if found.map(\.count).max() ?? 0 < best.map(\.count).max() ?? 0 { best = found }
        }
        return best
    }
}

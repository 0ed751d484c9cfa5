import MediaIO
import VideoWall
import WindowGL

/// What an empty wall shows: the program's name, how something is added, and what was last opened.
struct FirstPage {
    static let background = SIMD4<Float>(Panel.surround, 1)
    static let text = SIMD4<Float>(0.90, 0.93, 0.95, 1)
    static let dim = SIMD4<Float>(0.62, 0.65, 0.70, 1)

    /// What was last opened.
    var recent: RecentList
    /// The entry under the mouse.
    var pointed: Int?
    /// Whether the last click opened an entry: a second one that makes it a double click is not for what came.
    var wasClicked = false
    private var made: (size: VideoSize, recent: RecentList, texts: [WallOverlay])?

    init(_ recent: RecentList) { self.recent = recent }

    /// How something is added: the keys, and what they do.
    static let hints: [(key: String, help: String)] =
        [("Drop", "files, folders or addresses here")]
        + ["add", "paste", "menu", "help"].compactMap(ActionTable.action).map {
            (ActionHelp.firstKey(of: $0, []), $0.help)
        }

    // MARK: Places

    /// Where everything is on a wall of a size.
    struct Metrics {
        let fontSize: Int
        /// Where the rows are.
        let area: Rectangle
        /// As many entries as there is room for.
        let count: Int

        init(in size: VideoSize, recent: Int) {
            // Letters of 13 pixels are small, but can be read; smaller ones are for windows that have no room.
            let fontSize = max(8, min(max(13, size.height / 40), size.width / 30, size.height / 12))
            let width = max(1, min(size.width - 2 * fontSize, 32 * fontSize))
            var count = recent
            while count > 0, Self.height(fontSize, count) > size.height - fontSize { count -= 1 }
            let height = Self.height(fontSize, count)
            area = Rectangle(
                x: (size.width - width) / 2, y: max(fontSize / 2, (size.height - height) / 2), width: width,
                height: height)
            (self.fontSize, self.count) = (fontSize, count)
        }

        private static func rowHeight(_ fontSize: Int) -> Int { fontSize * 3 / 2 }

        private static func height(_ fontSize: Int, _ count: Int) -> Int {
            // The name has two rows and a half; half a row is above the heading of the entries.
            let halves = 5 + 2 * FirstPage.hints.count + (count > 0 ? 3 + 2 * count : 0)
            return rowHeight(fontSize) * halves / 2
        }

        var rowHeight: Int { Self.rowHeight(fontSize) }

        func hint(_ index: Int) -> Int { area.y + rowHeight * (5 + 2 * index) / 2 }

        var heading: Int { hint(FirstPage.hints.count) + rowHeight / 2 }

        func entry(_ index: Int) -> Rectangle {
            Rectangle(
                x: area.x - fontSize / 2, y: heading + rowHeight * (index + 1), width: area.width + fontSize,
                height: rowHeight)
        }
    }

    /// The entry at a position; `nil` beside all of them.
    func entry(at place: WindowEvent.MousePosition, in size: VideoSize) -> Int? {
        let metrics = Metrics(in: size, recent: recent.entries.count)
        return (0..<metrics.count).first { metrics.entry($0).contains(x: place.x, y: place.y) }
    }

    // MARK: Drawing

    /// The page as it is drawn, over everything.
    mutating func overlays(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        guard size.width > 0, size.height > 0 else { return [] }
        let metrics = Metrics(in: size, recent: recent.entries.count)
        let texts: [WallOverlay]
        if let made, made.size == size, made.recent == recent {
            texts = made.texts
        } else {
            texts = makeTexts(metrics, painter)
            made = (size, recent, texts)
        }
        let whole = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
        var overlays = [WallOverlay(filling: whole, with: Self.background)]
        if let pointed, pointed < metrics.count {
            overlays.append(WallOverlay(filling: metrics.entry(pointed), with: Panel.accent * SIMD4(1, 1, 1, 0.2)))
        }
        return overlays + texts
    }

    private func makeTexts(_ metrics: Metrics, _ painter: any TextPainter) -> [WallOverlay] {
        let (fontSize, area) = (metrics.fontSize, metrics.area)
        let column = 5 * fontSize
        func text(
            _ text: String, _ color: SIMD4<Float>, x: Int = 0, y: Int, width: Int, fontSize: Int, height: Int
        ) -> WallOverlay {
            // One line has room, and no second one.
            let room = VideoSize(width: max(1, width), height: max(1, height))
            let image = painter.coverage(of: text, TextStyle(fontSize: fontSize), in: room)
            return WallOverlay(image, x: area.x + x, y: y + (height - image.size.height) / 2, color: color)
        }
        func row(_ left: String, _ right: String, y: Int, _ color: SIMD4<Float>) -> [WallOverlay] {
            let height = metrics.rowHeight
            return [
                text(left, Panel.accent, y: y, width: column, fontSize: fontSize, height: height),
                text(right, color, x: column, y: y, width: area.width - column, fontSize: fontSize, height: height),
            ]
        }
        var texts = [
            text(
                "Vitrail", Self.text, y: area.y, width: area.width, fontSize: 2 * fontSize,
                height: 2 * metrics.rowHeight)
        ]
        for (index, hint) in Self.hints.enumerated() {
            texts += row(hint.key, hint.help, y: metrics.hint(index), Self.dim)
        }
        guard metrics.count > 0 else { return texts }
        texts.append(
            text(
                "Recent", Self.text, y: metrics.heading, width: area.width, fontSize: fontSize,
                height: metrics.rowHeight))
        for (index, entry) in recent.entries.prefix(metrics.count).enumerated() {
            let title = Self.shortened(entry.title, to: max(8, (area.width - column) * 9 / (5 * fontSize)))
            texts += row("\(index + 1)", title, y: metrics.entry(index).y, Self.text)
        }
        return texts
    }

    /// A long address without its middle: its beginning says where it is, its end what.
    static func shortened(_ text: String, to most: Int) -> String {
        guard text.count > most else { return text }
        let end = most * 2 / 3
        return text.prefix(most - end - 1) + "…" + text.suffix(end)
    }
}

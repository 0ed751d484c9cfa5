import MediaIO

/// What stands in the middle of a tile without a present picture: a sign, a headline, and a line below it.
struct TileHeadline {
    /// The room in the middle of a tile, above its bar.
    struct Area {
        var tile: Rectangle
        var top: Int
        var bottom: Int
        var height: Int { bottom - top }
    }

    private struct Line {
        var images: [CoverageImage]
        var gap: Int
        var width: Int { images.reduce(0) { $0 + $1.size.width } + gap * max(0, images.count - 1) }
        var height: Int { images.map(\.size.height).max() ?? 0 }
    }

    private static let white = SIMD4<Float>(1, 1, 1, 0.95)
    private static let quiet = SIMD4<Float>(0.82, 0.85, 0.88, 1)

    private var headline = TextSlot()
    private var line = TextSlot()

    /// The overlays that fit, and where they end; the line below is left out first, then the sign, then the word.
    mutating func overlays(
        _ status: TileStatus, _ words: String?, hasSign: Bool, in area: Area, smallFont: Int, _ painter: TilePainter
    ) -> (overlays: [WallOverlay], end: Int) {
        let tile = area.tile
        let fontSize = max(14, min(tile.height / 9, tile.width / 12))
        let (style, small) = (
            TextStyle(fontSize: fontSize, maximumLines: 1), TextStyle(fontSize: smallFont, maximumLines: 1)
        )
        // A painter cuts what does not fit, so it gets room for any of them.
        let room = VideoSize(width: 60 * fontSize, height: 4 * fontSize)
        let word = headline.image(status.state.headline, style, room, painter.text)
        let age = status.age.map { painter.figures(TileStatus.text(ofAge: $0), style) }
        let titles = [[word] + [age].compactMap(\.self), age.map { [$0] } ?? []].map {
            Line(images: $0, gap: fontSize / 3)
        }
        let below = words.map { text in
            Line(
                images: [line.image(text, small, room, painter.text)]
                    + [status.retry.map { painter.figures("\($0) s", small) }].compactMap(\.self), gap: smallFont / 3)
        }
        let margin = smallFont
        let width = tile.width - 2 * margin
        let side = max(16, tile.height / 6) | 1
        let sign = hasSign ? painter.sign(status.state, step: status.step, side: side) : nil
        let choices: [(sign: CoverageImage?, title: Line, below: Line?)] = [
            (sign, titles[0], below), (sign, titles[0], nil), (nil, titles[0], below), (nil, titles[0], nil),
            (nil, titles[1], below), (nil, titles[1], nil), (sign, Line(images: [], gap: 0), nil),
        ]
        for choice in choices {
            let gap = fontSize / 3
            let parts = [choice.sign?.size.height, choice.title.height, choice.below?.height].compactMap(\.self)
                .filter { $0 > 0 }
            let height = parts.reduce(0, +) + gap * max(0, parts.count - 1)
            let widest = max(choice.title.width, choice.below?.width ?? 0, choice.sign?.size.width ?? 0)
            guard !parts.isEmpty, height <= area.height, widest <= width else { continue }
            // In the middle of the tile, but not over what is above.
            var y = max(area.top, min(tile.y + (tile.height - height) / 2, area.bottom - height))
            var overlays: [WallOverlay] = []
            func put(_ images: [CoverageImage], _ gap: Int, _ width: Int, _ color: SIMD4<Float>) {
                var x = tile.x + (tile.width - width) / 2
                for image in images {
                    overlays.append(WallOverlay(image, x: x, y: y, color: color))
                    x += image.size.width + gap
                }
            }
            if let sign = choice.sign {
                put([sign], 0, sign.size.width, status.state.severity.color)
                y += sign.size.height + gap
            }
            if !choice.title.images.isEmpty {
                put(choice.title.images, choice.title.gap, choice.title.width, Self.white)
                y += choice.title.height + gap
            }
            if let below = choice.below {
                put(below.images, below.gap, below.width, Self.quiet)
                y += below.height + gap
            }
            return (overlays, y - gap)
        }
        return ([], area.top)
    }
}

import MediaIO

/// The bar at the lower edge of a tile: the sign of its state, its name, its state in words, and a clock.
struct TileBar {
    /// The grey of the bar.
    ///
    /// White text on it has a contrast of more than 4.5:1 on any picture (WCAG 2.1, 1.4.3): on a
    /// white one, 10:1.
    static let background = SIMD4<Float>(0.043, 0.055, 0.067, 0.8)
    private static let quiet = SIMD4<Float>(0.82, 0.85, 0.88, 1)

    private var name = TextSlot()
    private var word = TextSlot()
    private var pace = TextSlot()

    /// The size of its letters: for a tile of 240x135, 13 pixels; for one of 1920x1080, 36.
    static func fontSize(_ tile: Rectangle, _ look: TileLook) -> Int {
        let (least, most) = (Int(13 * look.scale), Int(36 * look.scale))
        return min(max(min(tile.height / 20, tile.width / 18), least), most)
    }

    /// Its height; 0 for a tile with so little room that there is only a sign.
    static func height(_ tile: Rectangle, _ look: TileLook) -> Int {
        let fontSize = fontSize(tile, look)
        let height = fontSize * 17 / 10
        return tile.height >= 3 * height && tile.width >= 5 * fontSize ? height : 0
    }

    /// The overlays of the bar, in drawing order.
    mutating func overlays(
        _ title: String, _ status: TileStatus, in tile: Rectangle, _ look: TileLook, _ painter: TilePainter
    ) -> [WallOverlay] {
        let fontSize = Self.fontSize(tile, look)
        let height = Self.height(tile, look)
        let color = status.state.severity.color
        // Odd, so that the middle of a sign is a pixel.
        let side = max(7, fontSize * 8 / 10) | 1
        guard height > 0 else {
            guard tile.width >= 2 * side, tile.height >= 2 * side else { return [] }
            let sign = painter.sign(status.state, step: status.step, side: side)
            let y = tile.y + tile.height - side - 3
            return [WallOverlay(sign, x: tile.x + 3, y: y, color: color, background: Self.background, margin: 2)]
        }
        let bar = Rectangle(x: tile.x, y: tile.y + tile.height - height, width: tile.width, height: height)
        let margin = fontSize / 2
        let style = TextStyle(fontSize: fontSize, maximumLines: 1)
        func placed(_ image: CoverageImage, at x: Int, _ color: SIMD4<Float>) -> WallOverlay {
            WallOverlay(image, x: x, y: bar.y + (height - image.size.height) / 2, color: color)
        }
        let sign = painter.sign(status.state, step: status.step, side: side)
        var overlays = [
            WallOverlay(filling: bar, with: Self.background), placed(sign, at: bar.x + margin, color),
        ]
        let left = bar.x + margin + side + margin
        var right = bar.x + bar.width - margin
        // The name keeps some room before what is said besides it.
        let needed = left + 5 * fontSize
        /// Puts words before what is already at the right, if there is room.
        func put(_ images: [CoverageImage], _ color: SIMD4<Float>) -> Bool {
            let width = images.reduce(0) { $0 + $1.size.width } + (images.count - 1) * fontSize / 3
            guard right - width - margin >= needed else { return false }
            var x = right - width
            right = x - margin
            for image in images {
                overlays.append(placed(image, at: x, color))
                x += image.size.width + fontSize / 3
            }
            return true
        }
        if let clock = status.clock {
            _ = put([painter.figures(TileStatus.text(ofClock: clock), style)], Self.quiet)
        }
        let room = VideoSize(width: bar.width, height: height)
        // That a stream is live is the rule, and its sign says so.
        if status.state != .live || status.clock == nil {
            let word = word.image(status.state.word, style, room, painter.text)
            let age = status.isOld ? nil : status.age.map { painter.figures(TileStatus.text(ofAge: $0), style) }
            let color = status.state == .live ? Self.quiet : SIMD4<Float>(1, 1, 1, 1)
            if age == nil || !put([word] + [age].compactMap(\.self), color) { _ = put([word], color) }
        }
        if let words = status.pace.words {
            _ = put([pace.image(words, style, room, painter.text)], TileState.Severity.warning.color)
        }
        let width = right - left
        if width > fontSize {
            let bold = TextStyle(fontSize: fontSize, isBold: true, maximumLines: 1)
            let image = name.image(title, bold, VideoSize(width: width, height: height), painter.text)
            overlays.append(placed(image, at: left, SIMD4(1, 1, 1, 1)))
        }
        return overlays
    }
}

import MediaIO
import VideoWall

/// The texts over the wall: statistics, a notice for a moment, the pixel under the mouse.
///
/// They are placed where they cover no text of a tile, as far as there is room.
struct ViewerOverlay {
    /// The rows of the statistics; empty while they are hidden.
    var statistics: [String] = []
    /// The pixel under the mouse, or `nil`.
    var pixel: String?
    /// All keys.
    var help = HelpPanel()
    /// When the notice disappears, or `nil` if there is none.
    private(set) var end: ContinuousClock.Instant?
    /// The notice, and the tile that it is about, with its title; `nil` for the whole wall.
    private(set) var notice: (text: String, tile: (id: WallTile.ID, title: String)?)?

    private var panelText = TextSlot()
    private var noticeText = TextSlot()
    /// The text of the panel, and the same on an image that is as wide as the panel.
    private var panel: (text: CoverageImage, image: CoverageImage)?

    private static let panelBackground = SIMD4<Float>(0.043, 0.055, 0.067, 0.88)
    private static let noticeBackground = SIMD4<Float>(0, 0, 0, 0.75)

    /// Shows a notice.
    ///
    /// - Parameters:
    ///   - text: the notice.
    ///   - tile: the tile that it is about; `nil` for the whole wall.
    ///   - time: how long it is shown.
    ///   - now: the time.
    mutating func show(
        _ text: String, over tile: WallTile? = nil, for time: Duration = .seconds(3), now: ContinuousClock.Instant
    ) {
        notice = (text, tile.map { ($0.id, $0.title) })
        end = now + time
    }

    /// Removes an expired notice.
    mutating func expire(now: ContinuousClock.Instant) {
        guard let end, now >= end else { return }
        notice = nil
        self.end = nil
    }

    /// The images of the statistics and of the notice.
    mutating func images(on scene: WallScene, _ painter: any TextPainter) -> [WallOverlay] {
        guard !statistics.isEmpty || notice != nil || help.page != nil else { return [] }
        var taken = scene.tiles.filter(\.isVisible).flatMap { $0.captionAreas }
        var overlays: [WallOverlay] = []
        if let panel = makePanel(scene, painter, taken) {
            overlays.append(panel)
            taken.append(panel.bounds)
        }
        if let notice = makeNotice(scene, painter, taken) { overlays.append(notice) }
        return help.page == nil ? overlays : overlays + help.overlays(in: scene.size, painter)
    }

    /// The statistics: at the right, or else at the left.
    private mutating func makePanel(
        _ scene: WallScene, _ painter: any TextPainter, _ taken: [Rectangle]
    ) -> WallOverlay? {
        let (fontSize, margin) = Self.metrics(scene)
        let width = min(340 * fontSize / 14, scene.size.width - 4 * margin)
        let room = VideoSize(width: width, height: scene.size.height - 4 * margin)
        guard !statistics.isEmpty, room.width > fontSize, room.height > fontSize else { return nil }
        let text = panelText.image(
            statistics.joined(separator: "\n"), TextStyle(fontSize: fontSize), room, painter)
        if panel?.text !== text || panel?.image.size.width != width { panel = (text, text.widened(to: width)) }
        guard let image = panel?.image else { return nil }
        let rows = stride(from: 2 * margin, through: max(2 * margin, room.height - image.size.height), by: fontSize)
        let columns = [scene.size.width - 2 * margin - image.size.width, 2 * margin]
        let places = columns.flatMap { x in rows.map { y in (x, y) } }
        return Self.place(image, at: places, margin, Self.panelBackground, taken)
    }

    /// The notice: at the bottom of the tile that it is about, or else, with the tile's title, of the wall.
    private mutating func makeNotice(
        _ scene: WallScene, _ painter: any TextPainter, _ taken: [Rectangle]
    ) -> WallOverlay? {
        let (fontSize, margin) = Self.metrics(scene)
        guard let notice else { return nil }
        let tile = scene.tiles.first { $0.id == notice.tile?.id && $0.isVisible }?.rectangle
        // In a narrow tile, a notice would be a column of syllables.
        let roomy = tile.flatMap { $0.width >= 12 * fontSize && $0.height >= 4 * fontSize ? $0 : nil }
        let area = roomy ?? scene.bounds
        let title = roomy == nil ? notice.tile.map { "\($0.title): " } ?? "" : ""
        let room = VideoSize(width: area.width - 4 * margin, height: area.height - 4 * margin)
        guard room.width > fontSize, room.height > fontSize else { return nil }
        let image = noticeText.image(
            title + notice.text, TextStyle(fontSize: fontSize, isCentered: true), room, painter)
        let x = area.x + (area.width - image.size.width) / 2
        let lowest = area.y + area.height - 2 * margin - image.size.height
        let places = stride(from: lowest, through: min(lowest, area.y + 2 * margin), by: -fontSize).map { (x, $0) }
        return Self.place(image, at: places, margin, Self.noticeBackground, taken)
    }

    private static func metrics(_ scene: WallScene) -> (fontSize: Int, margin: Int) {
        let fontSize = max(14, scene.size.height / 60)
        return (fontSize, fontSize / 2)
    }

    /// Places the image where it covers the least of `taken`: at the first of several such places.
    private static func place(
        _ image: CoverageImage, at places: [(x: Int, y: Int)], _ margin: Int, _ background: SIMD4<Float>,
        _ taken: [Rectangle]
    ) -> WallOverlay? {
        var best: (overlay: WallOverlay, covered: Int)?
        for place in places {
            let overlay = WallOverlay(image, x: place.x, y: place.y, background: background, margin: margin)
            let covered = taken.reduce(0) { sum, text in
                let both = text.intersection(overlay.bounds)
                return sum + max(0, both.width) * max(0, both.height)
            }
            if covered < best?.covered ?? .max { best = (overlay, covered) }
            if covered == 0 { break }
        }
        return best?.overlay
    }
}

extension CoverageImage {
    /// The same image with columns without coverage at its right.
    fileprivate func widened(to width: Int) -> CoverageImage {
        guard width > size.width else { return self }
        var wide = [UInt8](repeating: 0, count: width * size.height)
        for row in 0..<size.height {
            wide.replaceSubrange(
                row * width..<row * width + size.width, with: bytes[row * bytesPerRow..<row * bytesPerRow + size.width])
        }
        return CoverageImage(wide, size: VideoSize(width: width, height: size.height), bytesPerRow: width)
    }
}

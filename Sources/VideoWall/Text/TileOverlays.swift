package import MediaIO

/// Everything over one tile: what dims an old picture, its own overlays, its signs and texts, made only when they change.
struct TileOverlays {
    fileprivate struct Request: Equatable {
        var rectangle: Rectangle
        var own: [WallOverlay]
        var title: String?
        var badge: TileBadge?
        var name: String
        var failure: String?
        var wholeNotice: String?
        var condition: SourceCondition
        var details: String?
        var status: TileStatus
        var isPlaceholder: Bool
        var look: TileLook
    }

    /// On it, white text has a contrast of more than 4.5:1 on any picture.
    private static let background = SIMD4<Float>(0, 0, 0, 0.65)
    private static let failureBackground = SIMD4<Float>(0.35, 0, 0, 0.75)
    /// Leaves 35 % of each code value of an old picture: it can be recognised, but not taken for a present one.
    private static let shade = SIMD4<Float>(0, 0, 0, 0.65)

    private var request: Request?
    private var made: [WallOverlay] = []
    private var label = TextSlot()
    private var badge = TextSlot()
    private var notice = TextSlot()
    private var headline = TileHeadline()
    private var bar = TileBar()

    /// The overlays of a tile at a position; `failure` is the renderer's.
    mutating func make(
        of tile: WallTile, _ failure: String?, _ status: TileStatus, in rectangle: Rectangle, _ look: TileLook,
        _ painter: TilePainter?
    ) -> [WallOverlay] {
        let new = Request(
            rectangle: rectangle, own: tile.overlays, title: tile.label, badge: tile.badge, name: tile.name,
            failure: failure, wholeNotice: tile.notice(failure),
            condition: tile.condition, details: look.hasDetails ? tile.details : nil, status: status,
            isPlaceholder: tile.frame == nil, look: look)
        if new == request { return made }
        request = new
        made = status.isOld ? [WallOverlay(filling: rectangle, with: Self.shade)] : []
        made += new.own.map { $0.moved(to: rectangle) }
        if look.hasBars { made += Self.border(status, rectangle, look) }
        if let painter { made += makeTexts(new, painter) }
        return made
    }

    /// Moves the overlays of a tile with it: what fills a tile fills it again, all else keeps its distance from the upper
    /// left corner.
    static func move(_ overlays: inout [WallOverlay], from old: Rectangle, to new: Rectangle) {
        for index in overlays.indices {
            if overlays[index].bounds == old, !overlays[index].hasImage {
                overlays[index] = WallOverlay(filling: new, with: overlays[index].background)
            } else {
                overlays[index].x += new.x - old.x
                overlays[index].y += new.y - old.y
            }
        }
    }

    /// A frame in the colour of the state around a picture that is not a present one.
    private static func border(_ status: TileStatus, _ tile: Rectangle, _ look: TileLook) -> [WallOverlay] {
        guard status.isOld || status.state == .frozen else { return [] }
        return tile.sides(thickness: max(1, Int((3 * look.scale).rounded()))).map {
            WallOverlay(filling: $0, with: status.state.severity.color)
        }
    }

    private mutating func makeTexts(_ request: Request, _ painter: TilePainter) -> [WallOverlay] {
        let (tile, look) = (request.rectangle, request.look)
        let fontSize = min(max(tile.height / 22, Int(11 * look.scale)), Int(28 * look.scale))
        let margin = fontSize / 2
        let barHeight = look.hasBars ? TileBar.height(tile, look) : 0
        let room = VideoSize(width: tile.width - 4 * margin, height: tile.height - 4 * margin - barHeight)
        let bar =
            look.hasBars
            ? self.bar.overlays(request.title ?? request.name, request.status, in: tile, look, painter) : []
        guard room.width > fontSize, room.height > fontSize else { return bar }
        var overlays: [WallOverlay] = []
        // The upper left corner.
        var corner: WallOverlay?
        let label = look.hasBars || !look.hasLabels || request.isPlaceholder ? nil : request.title
        if label != nil || request.details != nil {
            let text = [label, request.details].compactMap(\.self).joined(separator: "\n")
            let image = self.label.image(text, TextStyle(fontSize: fontSize), room, painter.text)
            corner = WallOverlay(
                image, x: tile.x + 2 * margin, y: tile.y + 2 * margin, background: Self.background, margin: margin)
        }
        let top = corner.map { $0.bounds.y + $0.bounds.height } ?? tile.y + margin
        var area = TileHeadline.Area(tile: tile, top: top, bottom: tile.y + tile.height - barHeight)
        // The middle.
        if request.hasHeadline {
            let (middle, end) = headline.overlays(
                request.status, request.shortReason, hasSign: request.isPlaceholder && request.notice == nil, in: area,
                smallFont: fontSize,
                painter)
            overlays += middle
            if !middle.isEmpty { area.top = end }
        }
        // The lower edge.
        if let text = request.notice {
            let isCentered = request.isPlaceholder && !look.hasBars
            let free = VideoSize(width: room.width, height: area.height - 3 * margin)
            if free.height >= fontSize * 3 / 2 || isCentered {
                let style = TextStyle(fontSize: fontSize, isCentered: request.isPlaceholder)
                let image = notice.image(text, style, isCentered ? room : free, painter.text)
                let y =
                    isCentered
                    ? tile.y + (tile.height - image.size.height) / 2 : area.bottom - image.size.height - 2 * margin
                overlays.append(
                    WallOverlay(
                        image, x: tile.x + (tile.width - image.size.width) / 2, y: y,
                        background: request.isPlaceholder
                            ? .zero : request.hasFailed ? Self.failureBackground : Self.background,
                        margin: margin))
            }
        }
        if let corner { overlays.append(corner) }
        if let badge = request.badge {
            let image = self.badge.image(badge.text, TextStyle(fontSize: fontSize * 3 / 4), room, painter.text)
            let x = tile.x + tile.width - image.size.width - 2 * margin
            // Under the label where there is no room beside it.
            let isBeside = corner.map { $0.bounds.x + $0.bounds.width + margin < x } ?? true
            let y = isBeside ? tile.y + 2 * margin : top + margin
            overlays.append(WallOverlay(image, x: x, y: y, background: badge.background, margin: margin / 2))
        }
        return overlays + bar
    }
}

extension TileOverlays.Request {
    /// Whether the middle says that there is no present picture.
    fileprivate var hasHeadline: Bool {
        status.isOld || (look.hasBars && isPlaceholder)
    }

    /// Whether it is a failure.
    fileprivate var hasFailed: Bool {
        if case .failed = condition { return true }
        return failure != nil
    }

    /// The reason in a few plain words, below the headline.
    fileprivate var shortReason: String? {
        guard look.hasBars else { return nil }
        if status.state == .offline {
            return status.retry == nil ? "Not connected, trying now" : "Not connected, next try in"
        }
        guard status.state == .failed, !look.hasDetails else { return nil }
        return [condition.code?.words, look.hint].compactMap(\.self).joined(separator: " – ")
    }

    /// What there is to say at length.
    fileprivate var notice: String? {
        if look.hasBars { return failure ?? (look.hasDetails ? condition.reason : nil) }
        return isPlaceholder ? wholeNotice.map(placeholder) : wholeNotice
    }

    /// The words in a tile without a picture: which stream it is, once, and what there is to say about it.
    private func placeholder(_ notice: String) -> String {
        if let title { return "\(title)\n\(notice)" }
        return notice.contains(name) ? notice : "\(name)\n\(notice)"
    }
}

extension StreamError.Code {
    /// What has failed, in a few plain words.
    fileprivate var words: String? {
        switch self {
        case .cannotOpen: "Cannot be opened"
        case .malformed: "The data is damaged"
        case .unsupported: "Not supported"
        case .refused: "Not shared, or no longer"
        case .readFailed: "Cannot be read any more"
        case .noMemory: "Not enough memory"
        default: nil
        }
    }
}

extension Rectangle {
    /// Its four sides, each as thick as given, inside of it, without overlap.
    package func sides(thickness: Int) -> [Rectangle] {
        guard width > 2 * thickness, height > 2 * thickness else { return [self] }
        return [
            Rectangle(x: x, y: y, width: width, height: thickness),
            Rectangle(x: x, y: y + height - thickness, width: width, height: thickness),
            Rectangle(x: x, y: y + thickness, width: thickness, height: height - 2 * thickness),
            Rectangle(x: x + width - thickness, y: y + thickness, width: thickness, height: height - 2 * thickness),
        ]
    }
}

package import MediaIO

/// Everything over one tile: what dims an old picture, its own overlays, and its texts, made only when they change.
struct TileOverlays {
    private struct Request: Equatable {
        var rectangle: Rectangle
        var own: [WallOverlay]
        var label: String?
        var notice: String?
        var silence: Silence?
        var isPlaceholder: Bool
        var hasFailure: Bool
    }

    private static let background = SIMD4<Float>(0, 0, 0, 0.55)
    private static let failureBackground = SIMD4<Float>(0.35, 0, 0, 0.75)
    /// Leaves 35 % of each code value of an old picture: it can be recognised, but not taken for a present one.
    private static let shade = SIMD4<Float>(0, 0, 0, 0.65)

    private var request: Request?
    private var made: [WallOverlay] = []
    private var label = TextSlot()
    private var notice = TextSlot()
    private var headline = TextSlot()

    /// The overlays of a tile at a position; `failure` is the renderer's.
    mutating func make(
        of tile: WallTile, _ failure: String?, _ silence: Silence?, in rectangle: Rectangle,
        _ painter: (any TextPainter)?
    ) -> [WallOverlay] {
        let new = Request(
            rectangle: rectangle, own: tile.overlays, label: tile.label, notice: tile.notice(failure), silence: silence,
            isPlaceholder: tile.frame == nil,
            hasFailure: failure != nil || tile.hasFailed)
        if new == request { return made }
        request = new
        made = silence == nil ? [] : [WallOverlay(filling: rectangle, with: Self.shade)]
        made += new.own.map { $0.moved(to: rectangle) }
        if let painter { made += makeTexts(new, tile.name, painter) }
        return made
    }

    /// Moves the overlays of a tile with it: those with images keep their distance from the upper left corner.
    static func move(_ overlays: inout [WallOverlay], from old: Rectangle, to new: Rectangle) {
        for index in overlays.indices {
            if overlays[index].hasImage {
                overlays[index].x += new.x - old.x
                overlays[index].y += new.y - old.y
            } else {
                overlays[index] = WallOverlay(filling: new, with: overlays[index].background)
            }
        }
    }

    private mutating func makeTexts(_ request: Request, _ name: String, _ painter: any TextPainter) -> [WallOverlay] {
        let rectangle = request.rectangle
        let fontSize = min(28, max(11, rectangle.height / 22))
        let margin = fontSize / 2
        let room = VideoSize(width: rectangle.width - 4 * margin, height: rectangle.height - 4 * margin)
        guard room.width > fontSize, room.height > fontSize else { return [] }
        var overlays: [WallOverlay] = []
        var label: WallOverlay?
        if let text = request.label, !request.isPlaceholder {
            let image = self.label.image(text, TextStyle(fontSize: fontSize), room, painter)
            label = WallOverlay(
                image, x: rectangle.x + 2 * margin, y: rectangle.y + 2 * margin, background: Self.background,
                margin: margin)
        }
        var noticeRoom: VideoSize? = room
        if let words = request.silence?.headlines, !words.isEmpty {
            let top = label.map { $0.bounds.y + $0.bounds.height } ?? rectangle.y + margin
            let headline = makeHeadline(words, in: rectangle, room.width, below: top, painter)
            noticeRoom = headline.flatMap { Self.room(below: $0, in: rectangle, room.width, fontSize) }
            if let headline { overlays.append(headline) }
        }
        if let text = request.notice, let room = noticeRoom {
            let isCentered = request.isPlaceholder
            let words = isCentered ? Self.placeholder(text, request.label, name) : text
            let image = notice.image(words, TextStyle(fontSize: fontSize, isCentered: isCentered), room, painter)
            let free = rectangle.height - image.size.height
            overlays.append(
                WallOverlay(
                    image, x: rectangle.x + (rectangle.width - image.size.width) / 2,
                    y: rectangle.y + (isCentered ? free / 2 : free - 2 * margin),
                    background: isCentered ? .zero : request.hasFailure ? Self.failureBackground : Self.background,
                    margin: margin))
        }
        if let label { overlays.append(label) }
        return overlays
    }

    /// The first of several words that fit in one line, in large letters in the middle; `nil` if none do.
    private mutating func makeHeadline(
        _ words: [String], in rectangle: Rectangle, _ width: Int, below top: Int, _ painter: any TextPainter
    ) -> WallOverlay? {
        let fontSize = max(14, min(rectangle.height / 9, rectangle.width / 12))
        // A painter cuts what does not fit, so it gets room for any of them.
        let room = VideoSize(width: 40 * fontSize, height: 4 * fontSize)
        for text in words {
            let image = headline.image(text, TextStyle(fontSize: fontSize, isCentered: true), room, painter)
            let y = max(rectangle.y + (rectangle.height - image.size.height) / 2, top)
            if image.size.width <= width, y + image.size.height <= rectangle.y + rectangle.height {
                return WallOverlay(image, x: rectangle.x + (rectangle.width - image.size.width) / 2, y: y)
            }
        }
        return nil
    }

    /// The room for a notice between the words in the middle and the lower edge; `nil` if there is none for a line.
    private static func room(
        below headline: WallOverlay, in rectangle: Rectangle, _ width: Int, _ fontSize: Int
    ) -> VideoSize? {
        let margin = fontSize / 2
        let top = headline.y + headline.image.size.height
        let height = rectangle.y + rectangle.height - top - 4 * margin
        return height >= fontSize * 3 / 2 ? VideoSize(width: width, height: height) : nil
    }

    /// The words in a tile without a picture: which stream it is, once, and what there is to say about it.
    private static func placeholder(_ notice: String, _ label: String?, _ name: String) -> String {
        if let label { return "\(label)\n\(notice)" }
        return notice.contains(name) ? notice : "\(name)\n\(notice)"
    }
}

/// A text and its image.
package struct TextSlot {
    private struct Request: Equatable {
        var text: String
        var style: TextStyle
        var room: VideoSize
    }

    private var request: Request?
    private var made: CoverageImage?

    /// Creates a slot without a text.
    package init() {}

    /// The image of a text, remade only when the text, its style or its room changes.
    package mutating func image(
        _ text: String, _ style: TextStyle, _ room: VideoSize, _ painter: any TextPainter
    ) -> CoverageImage {
        let new = Request(text: text, style: style, room: room)
        if let made, new == request { return made }
        let image = painter.coverage(of: text, style, in: room)
        (request, made) = (new, image)
        return image
    }

    /// The text over the upper left corner of the whole wall; `nil` if there is none, or no room.
    mutating func wallOverlay(_ text: String?, in size: VideoSize, _ painter: (any TextPainter)?) -> WallOverlay? {
        let margin = 6
        let room = VideoSize(width: size.width - 4 * margin, height: size.height - 4 * margin)
        guard let text, let painter, room.width > 0, room.height > 0 else { return nil }
        let image = image(text, TextStyle(fontSize: 14), room, painter)
        guard image.size.width <= room.width else { return nil }
        return WallOverlay(image, x: 2 * margin, y: 2 * margin, background: SIMD4(0, 0, 0, 0.6), margin: margin)
    }
}

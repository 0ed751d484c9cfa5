package import MediaIO

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

public import MediaIO
public import VideoWall

extension TextRasterizer: TextPainter {
    /// Rasterizes a label or a notice of a wall.
    public func coverage(of text: String, _ style: TextStyle, in room: VideoSize) -> CoverageImage {
        image(
            for: text, fontSize: Double(style.fontSize), isBold: style.isBold,
            alignment: style.isCentered ? .center : .leading, maximumWidth: max(1, room.width),
            maximumHeight: max(1, room.height), maximumLines: style.maximumLines)
    }
}

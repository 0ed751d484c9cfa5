public import MediaIO

/// The style of a text on the wall.
public struct TextStyle: Hashable, Sendable {
    /// The font size, in pixels.
    public var fontSize: Int
    /// Whether lines are centred.
    public var isCentered: Bool
    /// Whether the font is bold.
    public var isBold: Bool
    /// The largest number of lines; `nil` for as many as fit.
    public var maximumLines: Int?

    /// Creates a style.
    public init(fontSize: Int, isCentered: Bool = false, isBold: Bool = false, maximumLines: Int? = nil) {
        (self.fontSize, self.isCentered) = (fontSize, isCentered)
        (self.isBold, self.maximumLines) = (isBold, maximumLines)
    }
}

/// Rasterizes the labels and notices of a wall; `TextRasterizer` of the module `TextRaster` is one.
///
/// **Thread:** the wall's.
public protocol TextPainter: AnyObject {
    /// Rasterizes a text, truncated to fit into `room`.
    ///
    /// **Cost:** rare: only when a text, its style or its room changes.
    func coverage(of text: String, _ style: TextStyle, in room: VideoSize) -> CoverageImage
}

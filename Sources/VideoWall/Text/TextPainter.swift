public import MediaIO

/// The style of a text on the wall.
public struct TextStyle: Hashable, Sendable {
    /// The font size, in pixels.
    public var fontSize: Int
    /// Whether lines are centred.
    public var isCentered: Bool

    /// Creates a style.
    public init(fontSize: Int, isCentered: Bool = false) {
        self.fontSize = fontSize
        self.isCentered = isCentered
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

public import MediaIO

/// What a text on the wall looks like.
public struct TextStyle: Hashable, Sendable {
    /// The size of the letters, in pixels.
    public var fontSize: Int
    /// Whether lines are centred instead of beginning at one side.
    public var isCentered: Bool

    /// Creates a style.
    public init(fontSize: Int, isCentered: Bool = false) {
        self.fontSize = fontSize
        self.isCentered = isCentered
    }
}

/// Turns the labels and notices of a wall into coverage: `TextRasterizer` of the module `TextRaster` is one.
///
/// **Thread:** the wall's.
public protocol TextPainter: AnyObject {
    /// Draws a text that is not larger than `room`; what does not fit is cut off.
    ///
    /// **Cost:** rare: only when a text, its style or its room has changed.
    func coverage(of text: String, _ style: TextStyle, in room: VideoSize) -> CoverageImage
}

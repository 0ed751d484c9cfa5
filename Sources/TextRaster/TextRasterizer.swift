internal import CVitrailPangoCairo
public import VideoWall

/// Turns text of any script into coverage that can be drawn in any colour.
///
/// Scripts, direction and font fallback are Pango's, so Arabic, Devanagari and Japanese come out right wherever the
/// system has a font for them. The font family is the system's sans. The same text gives the same bytes on one machine.
///
/// **Thread:** the one that made it. **Cost:** rare; making one loads the font list, an image is some milliseconds.
public final class TextRasterizer {
    /// How lines of different length stand to each other.
    public enum Alignment: Hashable, Sendable {
        /// At the side where reading starts: left, or right in a paragraph that reads from right to left.
        case leading
        /// In the middle.
        case center
    }

    /// No image is wider or higher than this many pixels.
    public static let maximumSide = 8192
    /// Text is cut after this many Unicode scalars, with an ellipsis.
    public static let maximumLength = 4096

    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    /// Loads the list of fonts.
    public init() {
        // A map of one's own: Pango's default one is shared by everything on the thread.
        fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Fixed here, so that neither the desktop's settings nor a subpixel layout change the bytes.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_ON)
        pango_cairo_context_set_font_options(context, options)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(fontMap)
    }

    /// Draws text into an image that is just large enough.
    ///
    /// Lines are broken between words, inside a word only where it alone is too wide. Text that does not fit ends in an
    /// ellipsis. There is always a first line; what still stands out of the limits is cut off. A control character is
    /// shown as U+FFFD.
    ///
    /// - Parameters:
    ///   - text: any text; a line feed begins a new paragraph.
    ///   - fontSize: pixels, 1 to 512; values outside are brought in.
    ///   - isBold: heavier strokes.
    ///   - alignment: how lines of different length stand to each other.
    ///   - maximumWidth: pixels, at least 1; `nil` is ``maximumSide``.
    ///   - maximumHeight: pixels, at least 1; `nil` is ``maximumSide``.
    ///   - maximumLines: at least 1; `nil` is as many as fit.
    /// - Returns: the image; one pixel without ink for text that shows nothing.
    public func image(
        for text: String, fontSize: Double, isBold: Bool = false, alignment: Alignment = .leading,
        maximumWidth: Int? = nil, maximumHeight: Int? = nil, maximumLines: Int? = nil
    ) -> CoverageImage {
        precondition(
            maximumWidth ?? 1 > 0 && maximumHeight ?? 1 > 0 && maximumLines ?? 1 > 0,
            "A limit of text is at least 1; pass nil for none.")
        let limits = TextLayout.Limits(
            width: min(maximumWidth ?? Self.maximumSide, Self.maximumSide),
            height: min(maximumHeight ?? Self.maximumSide, Self.maximumSide),
            lines: maximumLines ?? Int.max)
        // A size that is no number compares false with everything and becomes the smallest.
        let pixels = fontSize >= 1 ? min(fontSize, 512) : 1
        let layout = TextLayout(context, fontSize: pixels, isBold: isBold, alignment: alignment, limits: limits)
        layout.setText(Self.printable(text), isCut: text.unicodeScalars.count > Self.maximumLength)
        return layout.draw()
    }

    /// What can be laid out: one kind of line end, nothing that Pango refuses.
    private static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            switch scalar.value {
            case 0x0A where previous == "\r": break
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029: result.append("\n")
            case 0x09: result.append(scalar)
            case 0..<0x20, 0x7F..<0xA0: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
            previous = scalar
        }
        return String(result)
    }
}

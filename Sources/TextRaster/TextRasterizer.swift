internal import CVitrailPangoCairo
public import VideoWall
import VitrailSupport

/// Rasterizes text of any script to coverage that can be drawn in any colour.
///
/// Pango handles scripts, direction and font fallback, so Arabic, Devanagari and Japanese work if the system has fonts
/// for them. The font family is the system's sans. The same text gives the same bytes on one machine, in any locale.
///
/// **Thread:** the one that made it. **Cost:** rare; making one loads the font list, an image is some milliseconds.
public final class TextRasterizer {
    /// The alignment of lines of different length.
    public enum Alignment: Hashable, Sendable {
        /// At the start of the line: left, or right in a right-to-left paragraph.
        case leading
        /// Centred.
        case center
    }

    /// The largest width and height of an image, in pixels.
    public static let maximumSide = 8192
    /// The number of Unicode scalars after which text is truncated with an ellipsis.
    public static let maximumLength = 4096

    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    /// Loads the list of fonts.
    public init() {
        // A font map of our own: Pango's default one is shared by the whole thread.
        fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Fixed here, so that the bytes do not depend on desktop settings or a subpixel layout.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_ON)
        pango_cairo_context_set_font_options(context, options)
        // Otherwise the locale would choose the fonts.
        pango_context_set_language(context, pango_language_from_string("en"))
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(fontMap)
    }

    /// Rasterizes text into an image that is just large enough.
    ///
    /// Lines are broken between words, or inside a word that is too wide alone. Text that does not fit ends in an
    /// ellipsis. There is always a first line, clipped to the limits. A control character is shown as U+FFFD.
    ///
    /// - Parameters:
    ///   - text: any text; a line feed begins a new paragraph.
    ///   - fontSize: the font size in pixels, clamped to 1 to 512.
    ///   - isBold: whether to use a bold font.
    ///   - alignment: the alignment of lines of different length.
    ///   - maximumWidth: the largest width in pixels, at least 1; `nil` for ``maximumSide``.
    ///   - maximumHeight: the largest height in pixels, at least 1; `nil` for ``maximumSide``.
    ///   - maximumLines: the largest number of lines, at least 1; `nil` for as many as fit.
    /// - Returns: the image; one pixel without coverage for text without visible characters.
    public func image(
        for text: String, fontSize: Double, isBold: Bool = false, alignment: Alignment = .leading,
        maximumWidth: Int? = nil, maximumHeight: Int? = nil, maximumLines: Int? = nil
    ) -> CoverageImage {
        require(
            maximumWidth ?? 1 > 0 && maximumHeight ?? 1 > 0 && maximumLines ?? 1 > 0,
            "A limit of text must be at least 1: pass nil for none.")
        let limits = TextLayout.Limits(
            width: min(maximumWidth ?? Self.maximumSide, Self.maximumSide),
            height: min(maximumHeight ?? Self.maximumSide, Self.maximumSide),
            lines: maximumLines ?? Int.max)
        // NaN compares false with everything and becomes the smallest size.
        let pixels = fontSize >= 1 ? min(fontSize, 512) : 1
        let layout = TextLayout(context, fontSize: pixels, isBold: isBold, alignment: alignment, limits: limits)
        layout.setText(Self.printable(text), isCut: text.unicodeScalars.count > Self.maximumLength)
        return layout.draw()
    }

    /// The text with uniform line ends, without characters that Pango rejects.
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

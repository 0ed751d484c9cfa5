internal import CVitrailPangoCairo
import MediaIO
import VideoWall

/// A Pango layout: fits text into limits, measures and draws it.
struct TextLayout: ~Copyable {
    /// The limits of the image.
    struct Limits {
        var width: Int
        var height: Int
        var lines: Int
    }

    private let layout: OpaquePointer
    private let limits: Limits

    init(
        _ context: OpaquePointer, fontSize: Double, isBold: Bool, alignment: TextRasterizer.Alignment, limits: Limits
    ) {
        self.layout = pango_layout_new(context)
        self.limits = limits
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, "sans")
        pango_font_description_set_weight(font, isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        // Absolute: in pixels, independent of the desktop's resolution.
        pango_font_description_set_absolute_size(font, fontSize * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_layout_set_width(layout, Int32(limits.width) * PANGO_SCALE)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_alignment(layout, alignment == .center ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// Sets the text; if it does not fit, its longest beginning that fits with an ellipsis.
    ///
    /// Pango's own ellipsis keeps at least one line of every paragraph, so it does not respect a height.
    func setText(_ text: String, isCut: Bool) {
        set(isCut ? text + "…" : text)
        if fits { return }
        let ends = Array(text.indices)
        var (low, high) = (0, ends.count)
        // The first `low` characters fit or are none; the first `high` do not fit or are the whole text.
        while high - low > 1 {
            let middle = (low + high) / 2
            setBeginning(text[..<ends[middle]])
            if fits { low = middle } else { high = middle }
        }
        setBeginning(ends.isEmpty ? "" : text[..<ends[low]])
    }

    /// Draws the text into an image of its own size.
    func draw() -> CoverageImage {
        let bounds = self.bounds
        guard bounds.width > 0, bounds.height > 0 else { return Self.nothing() }
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, bounds.width, bounds.height)
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        defer { cairo_destroy(cairo) }
        cairo_translate(cairo, Double(-bounds.x), Double(-bounds.y))
        pango_cairo_show_layout(cairo, layout)
        cairo_surface_flush(surface)
        // Without memory there are no pixels, and no text is better than no wall.
        guard let pixels = cairo_image_surface_get_data(surface) else { return Self.nothing() }
        let bytesPerRow = Int(cairo_image_surface_get_stride(surface))
        let bytes = UnsafeBufferPointer(start: pixels, count: bytesPerRow * Int(bounds.height))
        return CoverageImage(
            Array(bytes), size: VideoSize(width: Int(bounds.width), height: Int(bounds.height)),
            bytesPerRow: bytesPerRow)
    }

    /// One pixel without ink, so that drawers need no special case for empty text.
    private static func nothing() -> CoverageImage {
        CoverageImage([0, 0, 0, 0], size: VideoSize(width: 1, height: 1), bytesPerRow: 4)
    }

    /// The pixels to draw: the lines with their leading, and strokes that protrude from them, within the limits.
    private var bounds: PangoRectangle {
        let (ink, logical) = extents
        guard ink.width > 0, ink.height > 0 else { return PangoRectangle() }
        let (x, width) = Self.span((ink.x, ink.width), (logical.x, logical.width), limit: Int32(limits.width))
        let (y, height) = Self.span((ink.y, ink.height), (logical.y, logical.height), limit: Int32(limits.height))
        return PangoRectangle(x: x, y: y, width: width, height: height)
    }

    private static func span(
        _ ink: (start: Int32, length: Int32), _ logical: (start: Int32, length: Int32), limit: Int32
    ) -> (start: Int32, length: Int32) {
        let start = min(ink.start, logical.start)
        let end = max(ink.start + ink.length, logical.start + logical.length)
        return end - start <= limit ? (start, end - start) : (logical.start, min(logical.length, limit))
    }

    private var fits: Bool {
        pango_layout_get_line_count(layout) <= limits.lines && extents.logical.height <= limits.height
    }

    private var extents: (ink: PangoRectangle, logical: PangoRectangle) {
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_pixel_extents(layout, &ink, &logical)
        return (ink, logical)
    }

    private func setBeginning(_ text: Substring) {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        set(text + "…")
    }

    private func set(_ text: some StringProtocol) {
        var text = String(text)
        text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { pango_layout_set_text(layout, $0.baseAddress, Int32($0.count)) }
        }
    }
}

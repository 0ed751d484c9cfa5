import MediaIO

/// Makes the images that the tiles of a wall have in common: signs, and figures that change each second.
///
/// **Thread:** the wall's.
final class TilePainter {
    private struct SignKey: Hashable {
        let state: TileState
        let step: Int
        let side: Int
    }
    struct FigureKey: Hashable {
        let text: String
        let style: TextStyle
    }

    /// Rasterizes texts.
    let text: any TextPainter
    private var signs: [SignKey: CoverageImage] = [:]
    private var glyphs: [FigureKey: CoverageImage] = [:]
    private(set) var figures: [FigureKey: CoverageImage] = [:]
    /// The most images of figures: those of a second on a large wall.
    private static let maximumCount = 512

    init(_ text: any TextPainter) { self.text = text }

    /// The sign of a state.
    func sign(_ state: TileState, step: Int = 0, side: Int) -> CoverageImage {
        let key = SignKey(state: state, step: step, side: side)
        if let made = signs[key] { return made }
        // A window that is resized by hand has another size with each picture.
        if signs.count >= Self.maximumCount { signs.removeAll() }
        let image = TileSign(state, step: step).image(side: side)
        signs[key] = image
        return image
    }

    /// A line of figures, which all have the same width, so that a clock does not jump.
    ///
    /// It is put together from images of single characters: text of 64 tiles that is set anew each second would cost more
    /// than drawing them.
    func figures(_ text: String, _ style: TextStyle) -> CoverageImage {
        let key = FigureKey(text: text, style: style)
        if let made = figures[key] { return made }
        if figures.count >= Self.maximumCount { figures.removeAll() }
        let image = compose(text, style)
        figures[key] = image
        return image
    }

    private func compose(_ text: String, _ style: TextStyle) -> CoverageImage {
        let advance = (0...9).map { glyph(Character("\($0)"), style).size.width }.max() ?? 1
        let columns = text.map { $0 == " " ? advance / 2 : $0.isNumber ? advance : glyph($0, style).size.width }
        let height = text.map { glyph($0, style).size.height }.max() ?? 1
        let width = max(1, columns.reduce(0, +))
        var bytes = [UInt8](repeating: 0, count: width * height)
        var x = 0
        for (character, column) in zip(text, columns) {
            defer { x += column }
            if character == " " { continue }
            let image = glyph(character, style)
            let left = x + (column - image.size.width) / 2
            for row in 0..<image.size.height {
                for place in 0..<image.size.width where left + place >= 0 && left + place < width {
                    bytes[row * width + left + place] = max(
                        bytes[row * width + left + place], image.bytes[row * image.bytesPerRow + place])
                }
            }
        }
        return CoverageImage(bytes, size: VideoSize(width: width, height: height), bytesPerRow: width)
    }

    private func glyph(_ character: Character, _ style: TextStyle) -> CoverageImage {
        let key = FigureKey(text: String(character), style: style)
        if let made = glyphs[key] { return made }
        if glyphs.count >= Self.maximumCount { glyphs.removeAll() }
        let room = VideoSize(width: 4 * style.fontSize, height: 4 * style.fontSize)
        let image = text.coverage(of: String(character), style, in: room)
        glyphs[key] = image
        return image
    }
}

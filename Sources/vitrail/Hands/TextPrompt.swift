import MediaIO
import VideoWall
import WindowGL

/// A line of text that is typed over the wall.
struct TextPrompt {
    /// What the text is.
    let title: String
    /// What has been typed.
    var text: String
    /// What is done with it.
    let finish: (String) throws(ProgramError) -> Void
    private var image = TextSlot()

    /// The most characters.
    static let longest = 2000

    init(_ title: String, text: String = "", finish: @escaping (String) throws(ProgramError) -> Void) {
        (self.title, self.text, self.finish) = (title, text, finish)
    }

    /// Adds a character, unless it is a control character.
    mutating func type(_ character: Character) {
        guard text.count < Self.longest, character.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else { return }
        text.append(character)
    }

    /// Adds the first line of a text.
    mutating func paste(_ pasted: String) {
        let line = pasted.drop(while: \.isWhitespace).prefix { !$0.isNewline }
        for character in line.prefix(Self.longest) { type(character) }
    }

    /// Removes the last character.
    mutating func erase() { if !text.isEmpty { text.removeLast() } }

    /// The title and the text, in the middle of the wall.
    mutating func overlays(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        let fontSize = Panel.fontSize(in: size)
        let width = min(size.width - 4 * fontSize, max(30 * fontSize, size.width / 2))
        guard width > fontSize else { return [] }
        // Of a long address, the end is what is being typed.
        let most = max(1, width * 2 / fontSize)
        let shown = text.count > most ? "…" + text.suffix(most) : text
        let room = VideoSize(width: width, height: size.height)
        let words = image.image("\(title)\n\(shown)▏", TextStyle(fontSize: fontSize), room, painter)
        let panel = Rectangle(
            x: (size.width - width) / 2, y: (size.height - words.size.height) / 2, width: width,
            height: words.size.height)
        return [
            WallOverlay(filling: panel.grown(by: fontSize), with: Panel.background),
            WallOverlay(words, x: panel.x, y: panel.y),
        ]
    }
}

/// What the panels over the wall have in common.
enum Panel {
    static let background = SIMD4<Float>(0.043, 0.055, 0.067, 0.92)
    /// The grey between tiles and beside pictures: dark enough to disappear, but not the black of a picture.
    static let surround = SIMD3<Float>(13, 17, 23) / 255
    static let accent = SIMD4<Float>(0.345, 0.651, 1, 1)

    /// The size of letters that can be read on a wall of this size.
    static func fontSize(in size: VideoSize) -> Int { max(14, size.height / 50) }

    /// The four sides of a rectangle, each as thick as given, inside of it.
    static func frame(_ area: Rectangle, _ thickness: Int, _ color: SIMD4<Float>) -> [WallOverlay] {
        area.sides(thickness: thickness).map { WallOverlay(filling: $0, with: color) }
    }
}

extension Rectangle {
    /// The rectangle with so many pixels more on each side.
    func grown(by pixels: Int) -> Rectangle {
        Rectangle(x: x - pixels, y: y - pixels, width: width + 2 * pixels, height: height + 2 * pixels)
    }
}

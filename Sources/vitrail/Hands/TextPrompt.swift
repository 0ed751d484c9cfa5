import MediaIO
import VideoWall
import WindowGL

/// A line of text that is typed over the wall.
struct TextPrompt {
    /// What the text is.
    let title: String
    /// What has been typed.
    private(set) var text: String
    /// Whether what is typed next replaces the text, as it does at first.
    private var isSelected: Bool
    /// What is done with it.
    let finish: (String) throws(ProgramError) -> Void
    /// The keyboard below the text; `nil` for those who type on their own.
    private(set) var keyboard: ScreenKeyboard?
    private var image = TextSlot()

    /// The most characters.
    static let longest = 2000

    init(
        _ title: String, text: String = "", withKeyboard: Bool = false,
        finish: @escaping (String) throws(ProgramError) -> Void
    ) {
        (self.title, self.text, self.finish) = (title, text, finish)
        isSelected = !text.isEmpty
        keyboard = withKeyboard ? ScreenKeyboard() : nil
    }

    /// Adds a character, unless it is a control character.
    mutating func type(_ character: Character) {
        guard text.count < Self.longest, character.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else { return }
        if isSelected { clear() }
        text.append(character)
    }

    /// Adds the first line of a text.
    mutating func paste(_ pasted: String) {
        let line = pasted.drop(while: \.isWhitespace).prefix { !$0.isNewline }
        for character in line.prefix(Self.longest) { type(character) }
    }

    /// Removes the last character, or all of them if they are selected.
    mutating func erase() { if isSelected { clear() } else if !text.isEmpty { text.removeLast() } }

    /// Removes all characters.
    mutating func clear() { (text, isSelected) = ("", false) }

    /// Selects the text, or has what is typed next added to it.
    mutating func select(_ isSelected: Bool) { self.isSelected = isSelected && !text.isEmpty }

    // MARK: The keyboard

    /// Where the panel is: the text, and the keyboard below it.
    private struct Places {
        var panel: Rectangle
        var text: Rectangle
        var keyboard: Rectangle
    }

    private func places(in size: VideoSize) -> Places? {
        let fontSize = Panel.fontSize(in: size)
        let keys = keyboard == nil ? VideoSize(width: 0, height: 0) : ScreenKeyboard.size(in: size)
        let width = max(keys.width, min(size.width - 4 * fontSize, max(30 * fontSize, size.width / 2)))
        guard width > fontSize else { return nil }
        // Two lines, and room for a title that takes two; fonts have lines of up to 1.4 times their size.
        let textHeight = 5 * fontSize
        let height = textHeight + keys.height
        let (x, y) = ((size.width - width) / 2, (size.height - height) / 2)
        return Places(
            panel: Rectangle(x: x, y: y, width: width, height: height).grown(by: fontSize),
            text: Rectangle(x: x, y: y, width: width, height: textHeight),
            keyboard: Rectangle(
                x: (size.width - keys.width) / 2, y: y + textHeight, width: keys.width, height: keys.height))
    }

    /// The key of the keyboard at a position; `nil` beside all of them.
    func key(at place: WindowEvent.MousePosition, in size: VideoSize) -> ScreenKeyboard.Key? {
        places(in: size).flatMap { keyboard?.key(at: place, in: $0.keyboard) }
    }

    /// Whether a position is on the panel.
    func contains(_ place: WindowEvent.MousePosition, in size: VideoSize) -> Bool {
        places(in: size)?.panel.contains(x: place.x, y: place.y) ?? false
    }

    /// Shows which key is under the mouse.
    mutating func point(at place: WindowEvent.MousePosition, in size: VideoSize) {
        let key = key(at: place, in: size)
        keyboard?.pointed = key
    }

    /// Types what a key of the keyboard stands for, as far as it changes the text.
    mutating func press(_ key: ScreenKeyboard.Key) {
        keyboard?.press(key)
        switch key {
        case .character(let character): type(character)
        case .space: type(" ")
        case .erase: erase()
        case .clear: clear()
        case .shift, .symbols, .paste, .cancel, .done: break
        }
    }

    /// The title and the text, in the middle of the wall, and the keyboard below.
    mutating func overlays(in size: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        guard let places = places(in: size) else { return [] }
        let fontSize = Panel.fontSize(in: size)
        // Of a long address, the end is what is being typed.
        let most = max(1, places.text.width * 2 / fontSize)
        let shown = text.count > most ? "…" + text.suffix(most) : text
        let room = VideoSize(width: places.text.width, height: places.text.height)
        let words = image.image(
            "\(title)\n\(isSelected ? "▕" : "")\(shown)▏", TextStyle(fontSize: fontSize), room, painter)
        return [
            WallOverlay(filling: places.panel, with: Panel.background),
            WallOverlay(words, x: places.text.x, y: places.text.y),
        ] + (keyboard?.overlays(in: places.keyboard, size, painter) ?? [])
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

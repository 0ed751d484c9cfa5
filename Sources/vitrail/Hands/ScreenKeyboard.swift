import MediaIO
import VideoWall
import WindowGL

/// A keyboard on the wall, for those who have only a mouse or a finger.
struct ScreenKeyboard {
    /// A key.
    enum Key: Hashable {
        case character(Character)
        case shift, symbols, space, paste, erase, clear, cancel, done

        /// What is written on it.
        var label: String {
            switch self {
            case .character(let character): String(character)
            case .shift: "Shift"
            case .symbols: "?#@"
            case .space: "Space"
            case .paste: "Paste"
            case .erase: "Erase"
            case .clear: "Clear"
            case .cancel: "Cancel"
            case .done: "Done"
            }
        }
    }

    /// The key under the mouse.
    var pointed: Key?
    private var isShifted = false
    private var showsSymbols = false
    private var images: (keys: [Key], fontSize: Int, images: [CoverageImage])?

    private static let letters = ["1234567890", "qwertyuiop", "asdfghjkl-", "zxcvbnm._/"]
    private static let symbols = ["1234567890", "!\"#$%&'()*", "+,-./:;<=>", "?@[\\]~_{|}"]
    private static let controls: [Key] = [.shift, .symbols, .space, .paste, .erase, .clear, .cancel, .done]
    private static let rowCount = letters.count + 1

    /// All keys, row by row.
    private var keys: [Key] {
        let rows = showsSymbols ? Self.symbols : Self.letters
        let characters = rows.joined().flatMap { isShifted ? Array($0.uppercased()) : [$0] }
        return characters.map(Key.character) + Self.controls
    }

    /// The size of the whole keyboard on a wall of a size: keys that a finger hits, as far as there is room.
    static func size(in wall: VideoSize) -> VideoSize {
        let fontSize = Panel.fontSize(in: wall)
        return VideoSize(
            width: min(36 * fontSize, wall.width - 2 * fontSize),
            height: min(rowCount * 5 * fontSize / 2, wall.height * 3 / 5))
    }

    /// Where each key is, in an area for all of them.
    private static func rectangles(in area: Rectangle) -> [Rectangle] {
        (letters.map(\.count) + [controls.count]).enumerated().flatMap { row, count in
            let (top, bottom) = (area.height * row / rowCount, area.height * (row + 1) / rowCount)
            return (0..<count).map { column in
                let (first, end) = (area.width * column / count, area.width * (column + 1) / count)
                return Rectangle(x: area.x + first, y: area.y + top, width: end - first, height: bottom - top)
            }
        }
    }

    /// The key at a position; `nil` beside all of them.
    func key(at place: WindowEvent.MousePosition, in area: Rectangle) -> Key? {
        Self.rectangles(in: area).firstIndex { $0.contains(x: place.x, y: place.y) }.map { keys[$0] }
    }

    /// Changes the keys: capitals for one letter, or symbols until they are left.
    mutating func press(_ key: Key) {
        switch key {
        case .shift: (isShifted, showsSymbols) = (!isShifted, false)
        case .symbols: (isShifted, showsSymbols) = (false, !showsSymbols)
        case .character: isShifted = false
        case .space, .paste, .erase, .clear, .cancel, .done: break
        }
    }

    /// The keyboard as it is drawn.
    mutating func overlays(in area: Rectangle, _ wall: VideoSize, _ painter: any TextPainter) -> [WallOverlay] {
        let rectangles = Self.rectangles(in: area)
        let keys = keys
        let fontSize = max(8, min(Panel.fontSize(in: wall), area.height / Self.rowCount / 2, area.width / 36))
        if images?.keys != keys || images?.fontSize != fontSize {
            let room = VideoSize(width: area.width, height: area.height)
            let style = TextStyle(fontSize: fontSize)
            images = (keys, fontSize, keys.map { painter.coverage(of: $0.label, style, in: room) })
        }
        let gap = max(1, fontSize / 8)
        var overlays: [WallOverlay] = []
        for (index, image) in (images?.images ?? []).enumerated() {
            let key = keys[index]
            let isOn = key == .shift && isShifted || key == .symbols && showsSymbols
            let color = key == pointed || isOn ? Panel.accent * SIMD4(1, 1, 1, 0.45) : SIMD4(1, 1, 1, 0.12)
            let cap = rectangles[index].grown(by: -gap)
            overlays.append(WallOverlay(filling: cap, with: color))
            overlays.append(
                WallOverlay(
                    image, x: cap.x + (cap.width - image.size.width) / 2,
                    y: cap.y + (cap.height - image.size.height) / 2))
        }
        return overlays
    }
}

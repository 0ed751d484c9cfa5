import MediaIO
import VideoWall

/// What is said in the middle of the demo wall at first: how to replace it.
struct WelcomeCard {
    /// How long it is shown.
    static let time = Duration.seconds(8)

    /// Whether it is shown from the next picture on.
    var isDue = false
    /// When it disappears, or `nil` if it is not shown.
    private(set) var end: ContinuousClock.Instant?
    private var image = TextSlot()

    private static let text: String = {
        let key = ActionTable.action(named: "help").map { ActionHelp.firstKey(of: $0, []) } ?? ""
        return "Vitrail – drop videos or addresses here · \(key) keys"
    }()

    /// The card, as long as it is shown.
    mutating func overlays(
        in size: VideoSize, now: ContinuousClock.Instant, _ painter: any TextPainter
    ) -> [WallOverlay] {
        if isDue { (isDue, end) = (false, now + Self.time) }
        if let last = end, now >= last { end = nil }
        let fontSize = Panel.fontSize(in: size) * 3 / 2
        let room = VideoSize(width: size.width - 4 * fontSize, height: size.height - 2 * fontSize)
        guard end != nil, room.width > fontSize, room.height > fontSize else { return [] }
        let words = image.image(Self.text, TextStyle(fontSize: fontSize, isCentered: true), room, painter)
        let (x, y) = ((size.width - words.size.width) / 2, (size.height - words.size.height) / 2)
        return [WallOverlay(words, x: x, y: y, background: Panel.background, margin: fontSize)]
    }
}

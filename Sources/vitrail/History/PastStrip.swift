import MediaIO
import VideoWall

/// The strip at the bottom of a wall that shows another moment: what is kept, and where one is.
struct PastStrip {
    /// What it says, in whole seconds, so that it is drawn once a second.
    struct Content: Equatable {
        /// How long ago the moment is.
        var seconds: Int
        /// How long what is kept goes back.
        var kept: Int
        /// The time of day of the moment, in seconds of local clocks.
        var timeOfDay: Int
        var isStopped: Bool

        /// As in `12 s ago · 14:03:22 · stopped`.
        var text: String {
            func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let clock = [timeOfDay / 3600 % 24, timeOfDay / 60 % 60, timeOfDay % 60].map(digits).joined(separator: ":")
            return "\(Self.length(seconds)) ago · \(clock)\(isStopped ? " · stopped" : "")"
        }

        /// A number of seconds as people say it.
        static func length(_ seconds: Int) -> String {
            seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min\(seconds % 60 == 0 ? "" : " \(seconds % 60) s")"
        }
    }

    private static let background = SIMD4<Float>(0.043, 0.055, 0.067, 0.92)
    private static let track = SIMD4<Float>(1, 1, 1, 0.35)
    private static let passed = SIMD4<Float>(0.345, 0.651, 1, 1)
    private static let hint = "L: live"

    private var left = TextSlot()
    private var right = TextSlot()

    /// The images of the strip.
    mutating func overlays(
        _ content: Content, on scene: WallScene, _ painter: any TextPainter
    ) -> [WallOverlay] {
        let fontSize = max(14, scene.size.height / 60)
        let margin = fontSize / 2
        let room = VideoSize(width: scene.size.width / 2 - 2 * margin, height: 2 * fontSize)
        guard room.width > 4 * fontSize, scene.size.height > 6 * fontSize else { return [] }
        let style = TextStyle(fontSize: fontSize)
        let text = left.image(content.text, style, room, painter)
        let hint = right.image(Self.hint, style, room, painter)
        let bar = max(4, fontSize / 4)
        let height = text.size.height + bar + 3 * margin
        let top = scene.size.height - height
        let width = scene.size.width - 2 * margin
        let ago = content.kept > 0 ? min(1, Double(content.seconds) / Double(content.kept)) : 0
        let place = Int((Double(width) * (1 - ago)).rounded())
        let row = scene.size.height - margin - bar
        return [
            WallOverlay(
                filling: Rectangle(x: 0, y: top, width: scene.size.width, height: height), with: Self.background),
            WallOverlay(text, x: margin, y: top + margin),
            WallOverlay(hint, x: scene.size.width - margin - hint.size.width, y: top + margin),
            WallOverlay(filling: Rectangle(x: margin, y: row, width: width, height: bar), with: Self.track),
            WallOverlay(filling: Rectangle(x: margin, y: row, width: place, height: bar), with: Self.passed),
            WallOverlay(
                filling: Rectangle(
                    x: max(0, margin + place - bar / 2), y: row - bar / 2, width: bar, height: 2 * bar),
                with: SIMD4(1, 1, 1, 1)),
        ]
    }
}

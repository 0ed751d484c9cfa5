import MediaIO
import Testing

@testable import VideoWall

/// A wall of one tile, with a clock that stands still until it is told to go on.
final class SilentWall {
    let now = Monitor(MonotonicTime(sinceBoot: .seconds(1000)))
    let wall: Wall
    let tile: WallTile
    private let painter = LinePainter()
    var size = screen

    init(hasAges: Bool = true) {
        let now = now
        wall = Wall(layout: GridLayout(columns: 1), text: painter)
        wall.now = { now.withLock { $0 } }
        wall.tileLook.hasAges = hasAges
        tile = WallTile(name: "a", mailbox: FrameMailbox(now: { now.withLock { $0 } }))
        wall.insert(tile)
    }

    func makeMailbox() -> FrameMailbox {
        let now = now
        return FrameMailbox(now: { now.withLock { $0 } })
    }

    func pass(_ time: Duration) { now.withLock { $0 = $0 + time } }

    func arrive() throws { tile.mailbox.put(try frame()) }

    @discardableResult
    func update() -> Bool { wall.update(size: size) }

    /// The texts over the tile, in drawing order, after an update; a sign is an empty one.
    func texts() -> [String] {
        update()
        let figures = wall.tilePainter?.figures ?? [:]
        return wall.scene.tiles[0].overlays.filter(\.hasImage).map { overlay in
            painter.texts[ObjectIdentifier(overlay.image)]
                ?? figures.first { $0.value === overlay.image }?.key.text ?? ""
        }
    }

    /// Whether something lies over the whole tile, under all else, and leaves 35 %.
    var isDimmed: Bool {
        let overlays = wall.scene.tiles[0].overlays
        let shades = overlays.filter { !$0.hasImage }
        guard let shade = shades.first, overlays.first == shade else { return false }
        return shade.bounds == wall.scene.tiles[0].rectangle && shade.background == SIMD4(0, 0, 0, 0.65)
    }
}

/// Makes images as wide as monospaced text in one line, cut at the edge of the room, and remembers their texts.
final class LinePainter: TextPainter {
    private(set) var texts: [ObjectIdentifier: String] = [:]
    // Retained so that their addresses stay unique.
    private var images: [CoverageImage] = []

    func coverage(of text: String, _ style: TextStyle, in room: VideoSize) -> CoverageImage {
        let size = VideoSize(
            width: max(1, min(room.width, text.count * style.fontSize * 6 / 10)),
            height: max(1, min(room.height, style.fontSize * 13 / 10)))
        let image = CoverageImage(
            [UInt8](repeating: 255, count: size.width * size.height), size: size, bytesPerRow: size.width)
        images.append(image)
        texts[ObjectIdentifier(image)] = text
        return image
    }
}

import CVitrailKernels
import FrameConversion
import MediaIO
import Synchronization
import VideoWall

/// The drawing of one picture of a scene, in strips of rows that threads take in turn.
///
/// **Thread:** ``plan(_:_:_:_:_:)`` and ``finish()`` on the render thread; strips on any.
final class SceneDrawing: SharedWork, @unchecked Sendable {
    // Unchecked: what strips read is written before they begin, and each thread has its own scratch.
    private enum Content {
        case surround
        case tile(Int)
        case overlays
    }

    /// Something to draw in a rectangle; items are drawn one after the other.
    private struct Item {
        let content: Content
        let area: Rectangle
    }

    /// Below this number of pixels one thread is faster: waking the others and waiting for them takes some 50 µs.
    var fewPixels = 1 << 17

    private var scene: WallScene?
    private var picture: PictureMemory?
    private var painters: [TilePainter] = []
    /// The picture of the tiles with effects; `nil` if there are none, or if they cannot be drawn.
    private var effects: EffectPicture?
    private var items: [Item] = []
    /// The rectangles that no tile covers, in reused memory.
    private var bare: [Rectangle] = []
    private var rest: [Rectangle] = []
    private var firstRow = 0
    private var stripHeight = 1
    private(set) var stripCount = 0
    let scratches: [OpaquePointer]
    private let isOutOfMemory = Atomic(false)

    /// Creates the memory of each thread.
    init(threadCount: Int) { scratches = (0..<threadCount).map { _ in vitrail_scratch_make() } }

    deinit { for scratch in scratches { vitrail_scratch_free(scratch) } }

    /// Allocates what each thread needs for a tile's plan, so that no later picture does.
    func reserve(_ painter: TilePainter) {
        for index in scratches.indices {
            _ = painter.plan?.paint(painter.samples, scratches[index], painter.effects, VitrailPart())
        }
    }

    /// Determines what is drawn where.
    ///
    /// - Parameters:
    ///   - scene: the scene.
    ///   - parts: the rectangles to draw.
    ///   - painters: what is kept for each tile, in the scene's order.
    ///   - picture: where to draw.
    ///   - effects: the picture of the tiles with effects; `nil` if there are none, or if they cannot be drawn.
    func plan(
        _ scene: WallScene, _ parts: [Rectangle], _ painters: [TilePainter], _ picture: PictureMemory,
        _ effects: EffectPicture?
    ) {
        (self.scene, self.painters, self.picture, self.effects) = (scene, painters, picture, effects)
        items.removeAll(keepingCapacity: true)
        var (top, bottom, pixels) = (scene.size.height, 0, 0)
        for index in parts.indices {
            let part = parts[index].intersection(scene.bounds)
            guard part.width > 0, part.height > 0 else { continue }
            addItems(of: part, scene)
            top = min(top, part.y)
            bottom = max(bottom, part.y + part.height)
            pixels += part.width * part.height
        }
        setStrips(from: top, to: bottom, isSmall: pixels < fewPixels)
    }

    private func addItems(of part: Rectangle, _ scene: WallScene) {
        bare.removeAll(keepingCapacity: true)
        bare.append(part)
        for index in scene.tiles.indices where scene.tiles[index].isVisible {
            let tile = scene.tiles[index].rectangle
            guard tile.intersects(part) else { continue }
            let isWhole = !painters[index].hasFrame || effects != nil && scene.tiles[index].needsShaders
            let covered = isWhole ? tile : scene.tiles[index].placement.destination.intersection(tile)
            uncover(covered)
        }
        for index in bare.indices { items.append(Item(content: .surround, area: bare[index])) }
        for place in scene.order.indices where scene.tiles[scene.order[place]].isVisible {
            let index = scene.order[place]
            let area = scene.tiles[index].rectangle.intersection(part)
            if area.width > 0, area.height > 0 { items.append(Item(content: .tile(index), area: area)) }
        }
        if !scene.overlays.isEmpty { items.append(Item(content: .overlays, area: part)) }
    }

    /// Removes a rectangle from the bare ones.
    private func uncover(_ hole: Rectangle) {
        guard hole.width > 0, hole.height > 0 else { return }
        rest.removeAll(keepingCapacity: true)
        for index in bare.indices {
            let area = bare[index]
            let both = area.intersection(hole)
            guard both.width > 0, both.height > 0 else {
                rest.append(area)
                continue
            }
            let (right, bottom) = (area.x + area.width, area.y + area.height)
            append(area.x, area.y, right, both.y)
            append(area.x, both.y, both.x, both.y + both.height)
            append(both.x + both.width, both.y, right, both.y + both.height)
            append(area.x, both.y + both.height, right, bottom)
        }
        swap(&bare, &rest)
    }

    private func append(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) {
        guard left < right, top < bottom else { return }
        rest.append(Rectangle(x: left, y: top, width: right - left, height: bottom - top))
    }

    /// Divides rows into strips: several for each thread, so that they end at about the same time.
    private func setStrips(from top: Int, to bottom: Int, isSmall: Bool) {
        let rows = max(0, bottom - top)
        firstRow = top
        let wanted = scratches.count == 1 || isSmall ? 1 : 4 * scratches.count
        // At least 16 rows, and an even number: two rows share chroma.
        stripHeight = max(16, ((rows + wanted - 1) / wanted + 1) & ~1)
        stripCount = (rows + stripHeight - 1) / stripHeight
    }

    func perform(_ part: Int, worker: Int) {
        guard let scene, let picture else { return }
        let strip = Rectangle(x: 0, y: firstRow + part * stripHeight, width: scene.size.width, height: stripHeight)
        for index in items.indices {
            let area = items[index].area.intersection(strip)
            guard area.width > 0, area.height > 0 else { continue }
            switch items[index].content {
            case .surround:
                fill(scene.surround, area, picture)
            case .overlays: picture.draw(scene.overlays, in: area, scene.colorTarget)
            case .tile(let tile): draw(scene.tiles[tile], painters[tile], area, scratches[worker], picture)
            }
        }
    }

    private func draw(
        _ tile: WallScene.Tile, _ painter: TilePainter, _ area: Rectangle, _ scratch: OpaquePointer,
        _ picture: PictureMemory
    ) {
        if let effects, tile.needsShaders {
            effects.copy(area, to: picture)
        } else if let plan = painter.plan, painter.hasFrame {
            let destination = tile.placement.destination
            let visible = destination.intersection(area)
            if visible.width > 0, visible.height > 0,
                !plan.paint(painter.samples, scratch, painter.effects, picture.part(visible, relativeTo: destination))
            {
                picture.fill(visible)
                noteNoMemory()
            }
        } else {
            fill(WallScene.emptyTile, area, picture)
        }
        picture.draw(tile.overlays, in: area, colors)
    }

    private func fill(_ color: SIMD3<Float>, _ area: Rectangle, _ picture: PictureMemory) {
        let shown = colors.shown(SIMD4(color, 1))
        picture.fill(area, red: shown.x, green: shown.y, blue: shown.z)
    }

    /// The colours of what is drawn.
    private var colors: ColorTarget { scene?.colorTarget ?? .sRGB }

    /// Notes that something could not be drawn for want of memory.
    func noteNoMemory() { isOutOfMemory.store(true, ordering: .relaxed) }

    /// Counts what was drawn, and releases the scene.
    func finish() {
        for index in items.indices {
            if case .tile(let tile) = items[index].content { painters[tile].report.drawn += 1 }
        }
        for index in painters.indices {
            painters[index].finish()
            if isOutOfMemory.load(ordering: .relaxed) { painters[index].fail("There is not enough memory to draw it.") }
        }
        isOutOfMemory.store(false, ordering: .relaxed)
        (scene, effects) = (nil, nil)
        // If both kept the array, the caller would copy it when it changes.
        painters = []
    }
}

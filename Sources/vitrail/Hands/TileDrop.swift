import MediaIO
import VideoWall
import WindowGL

/// Where a tile that is carried would be put.
enum TileDrop {
    /// In the place of another, which comes to its own.
    case swap(WallTile)
    /// Before another in the order of the wall.
    case before(WallTile)
    /// After another in the order of the wall.
    case after(WallTile)
    /// Anywhere, in a free layout.
    case free(FreeLayout.Place)

    /// The part of a tile at its left and right in which another is inserted.
    private static let border = 0.2

    /// Finds the place for a tile that is dropped on another.
    init?(on other: WallTile, _ area: Rectangle, _ x: Double) {
        guard area.width > 0 else { return nil }
        switch (x - Double(area.x)) / Double(area.width) {
        case ..<Self.border: self = .before(other)
        case (1 - Self.border)...: self = .after(other)
        default: self = .swap(other)
        }
    }
}

/// Carrying tiles.
extension Viewer {
    /// Where a tile that is carried is put when it is dropped; `nil` for nowhere.
    func drop(of tile: WallTile, at place: WindowEvent.MousePosition) -> TileDrop? {
        guard inputID(of: tile) != nil, wall.focus == nil else { return nil }
        if history.document.layout.kind == .free { return freeDrop(of: tile, at: place) }
        guard let index = wall.scene.tile(atX: place.x, y: place.y), let other = wall.tile(wall.scene.tiles[index].id),
            other !== tile, inputID(of: other) != nil
        else { return nil }
        return TileDrop(on: other, wall.scene.tiles[index].rectangle, place.x)
    }

    private func freeDrop(of tile: WallTile, at place: WindowEvent.MousePosition) -> TileDrop? {
        let whole = wall.area
        guard whole.width > 0, whole.height > 0,
            let area = wall.scene.tiles.first(where: { $0.id == tile.id })?.rectangle
        else { return nil }
        let (width, height) = (Double(area.width) / Double(whole.width), Double(area.height) / Double(whole.height))
        func start(_ position: Double, _ length: Int, _ part: Double) -> Double {
            let free = position / Double(length) - part / 2
            return (min(max(0, free), max(0, 1 - part)) * 1000).rounded() / 1000
        }
        return .free(
            FreeLayout.Place(
                x: start(place.x - Double(whole.x), whole.width, width),
                y: start(place.y - Double(whole.y), whole.height, height), width: width, height: height))
    }

    /// Puts a tile where it was dropped.
    func apply(_ drop: TileDrop, to tile: WallTile) {
        guard let id = inputID(of: tile) else { return }
        func other(_ tile: WallTile) -> WallInput.ID? { inputID(of: tile) }
        edit { document in
            guard let index = document.index(of: id) else { return }
            switch drop {
            case .swap(let tile):
                guard let target = other(tile).flatMap(document.index) else { return }
                document.inputs.swapAt(index, target)
            case .before(let tile), .after(let tile):
                let input = document.inputs.remove(at: index)
                let target = other(tile).flatMap(document.index) ?? 0
                let isAfter = if case .after = drop { true } else { false }
                document.inputs.insert(input, at: isAfter ? target + 1 : target)
            case .free(let place): document.inputs[index].place = place
            }
        }
    }

    /// The tile that is carried, as a shadow, and where it would be put.
    func ghost(of tile: WallTile, at mouse: WindowEvent.MousePosition, _ scene: WallScene) -> [WallOverlay] {
        guard let area = scene.tiles.first(where: { $0.id == tile.id })?.rectangle else { return [] }
        let thickness = max(2, scene.size.height / 300)
        var overlays: [WallOverlay] = []
        func target(_ tile: WallTile) -> Rectangle? { scene.tiles.first { $0.id == tile.id }?.rectangle }
        switch drop(of: tile, at: mouse) {
        case .swap(let other):
            if let target = target(other) { overlays += Panel.frame(target, thickness, Panel.accent) }
        case .before(let other):
            if let target = target(other) {
                let line = Rectangle(x: target.x, y: target.y, width: 2 * thickness, height: target.height)
                overlays.append(WallOverlay(filling: line, with: Panel.accent))
            }
        case .after(let other):
            if let target = target(other) {
                let line = Rectangle(
                    x: target.x + target.width - 2 * thickness, y: target.y, width: 2 * thickness,
                    height: target.height)
                overlays.append(WallOverlay(filling: line, with: Panel.accent))
            }
        case .free, nil: break
        }
        let ghost = Rectangle(
            x: Int(mouse.x) - area.width / 2, y: Int(mouse.y) - area.height / 2, width: area.width,
            height: area.height
        ).intersection(scene.bounds)
        guard ghost.width > 0, ghost.height > 0 else { return overlays }
        overlays.append(WallOverlay(filling: ghost, with: Panel.accent * SIMD4(1, 1, 1, 0.25)))
        return overlays + Panel.frame(ghost, 1, Panel.accent * SIMD4(1, 1, 1, 0.8))
    }
}

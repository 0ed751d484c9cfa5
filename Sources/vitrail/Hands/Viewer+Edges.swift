import MediaIO
import VideoWall
import WindowGL

/// Edges and free tiles by the keyboard.
extension Viewer {
    /// A step of an edge or of a free tile, as a part of the wall.
    private static let step = 0.02

    /// Moves the edge at the right of a tile or below it, or else the one before it.
    func moveEdge(_ words: ActionWords) throws(ProgramError) {
        guard let direction = try words.choice(Direction.self) else { throw words.refusal }
        guard wall.focus == nil else { throw ProgramError(.usage, "Only one tile is shown: 0 shows all.") }
        let kind = history.document.layout.kind
        if kind == .pip { return changeShare(direction.step.x + direction.step.y) }
        let rectangles = wall.destinations
        // Only the edges of the large tile can be moved.
        let hasLarge = kind == .spotlight || kind == .strip
        let tile = if hasLarge, let first = Split.first(rectangles) { wall.tiles[first] } else { try target(words) }
        guard let index = wall.tiles.firstIndex(where: { $0 === tile }), rectangles[index].width > 0 else { return }
        if let (split, edge) = split(of: rectangles[index], direction.isHorizontal, among: rectangles) {
            let area = wall.area
            let (x, y) = (direction.step.x * Double(area.width), direction.step.y * Double(area.height))
            resize(split, to: .init(x: edge.x + x * Self.step, y: edge.y + y * Self.step), rectangles)
        } else if kind == .free {
            try editPlace(of: tile) { place in
                place.width = min(max(Self.step, place.width + direction.step.x * Self.step), 1 - place.x)
                place.height = min(max(Self.step, place.height + direction.step.y * Self.step), 1 - place.y)
            }
        } else {
            throw ProgramError(.usage, "This tile has no edge that can be moved \(direction.rawValue).")
        }
    }

    /// The edge after a tile, or else before it, and a position on it; `nil` if there is none.
    private func split(
        of area: Rectangle, _ isVertical: Bool, among rectangles: [Rectangle]
    ) -> (Split, WindowEvent.MousePosition)? {
        for isAfter in [true, false] {
            // Tiles of another row may begin at the middle.
            for part in [0.5, 0.25, 0.75] {
                let x = Double(area.x) + Double(area.width) * (isVertical ? isAfter ? 1 : 0 : part)
                let y = Double(area.y) + Double(area.height) * (isVertical ? part : isAfter ? 1 : 0)
                let edge = WindowEvent.MousePosition(x: x, y: y)
                let split = Split.find(at: edge, isVertical: isVertical, among: rectangles)
                if let split, canMove(split) { return (split, edge) }
            }
        }
        return nil
    }

    /// Makes what the layout's share is about larger (1) or smaller (-1).
    private func changeShare(_ step: Double) {
        edit(gesture: "share") { document in
            let share = (document.layout.share ?? PictureInPictureLayout().share) + step * Self.step
            document.layout.share = min(0.9, max(0.1, (share * 1000).rounded() / 1000))
        }
    }

    /// Moves a tile of a free layout.
    func moveFreely(_ tile: WallTile, _ direction: Direction) throws(ProgramError) {
        try editPlace(of: tile) { place in
            place.x = min(max(0, place.x + direction.step.x * Self.step), max(0, 1 - place.width))
            place.y = min(max(0, place.y + direction.step.y * Self.step), max(0, 1 - place.height))
        }
    }

    private func editPlace(of tile: WallTile, _ change: (inout FreeLayout.Place) -> Void) throws(ProgramError) {
        guard let id = inputID(of: tile), let shown = shownPlaces[id] else {
            throw ProgramError(.usage, "This tile cannot be changed.")
        }
        edit(gesture: "place \(id)") { document in
            guard let index = document.index(of: id) else { return }
            var place = document.inputs[index].place ?? shown
            change(&place)
            for part in [\FreeLayout.Place.x, \.y, \.width, \.height] {
                place[keyPath: part] = (place[keyPath: part] * 1000).rounded() / 1000
            }
            document.inputs[index].place = place
        }
    }
}

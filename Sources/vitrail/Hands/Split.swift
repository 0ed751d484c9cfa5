import MediaIO
import VideoWall
import WindowGL

/// The edge between two tiles, which can be dragged to make one larger and the other smaller.
struct Split: Equatable {
    /// Whether it is upright, so that it is dragged to the left and right.
    let isVertical: Bool
    /// The index of the tile at the left of it, or above.
    let before: Int
    /// The index of the tile at the right of it, or below.
    let after: Int

    /// How far from an edge, in pixels, it can be taken.
    private static let reach = 5.0

    /// Finds the edge at a position.
    ///
    /// - Parameters:
    ///   - place: the position.
    ///   - rectangles: the tiles; an empty one is hidden.
    /// - Returns: `nil` if there is none.
    static func find(at place: WindowEvent.MousePosition, among rectangles: [Rectangle]) -> Split? {
        find(at: place, isVertical: true, among: rectangles) ?? find(at: place, isVertical: false, among: rectangles)
    }

    /// Finds an upright or a level edge at a position.
    static func find(
        at place: WindowEvent.MousePosition, isVertical: Bool, among rectangles: [Rectangle]
    ) -> Split? {
        isVertical
            ? find(true, place.x, place.y, rectangles.map { ($0.x, $0.width, $0.y, $0.height) })
            : find(false, place.y, place.x, rectangles.map { ($0.y, $0.height, $0.x, $0.width) })
    }

    /// Finds an edge across the first axis; each tile is its start and length along that axis and along the other.
    private static func find(
        _ isVertical: Bool, _ place: Double, _ other: Double, _ tiles: [(Int, Int, Int, Int)]
    ) -> Split? {
        func isBeside(_ tile: (Int, Int, Int, Int)) -> Bool {
            tile.1 > 0 && (Double(tile.2)..<Double(tile.2 + tile.3)).contains(other)
        }
        let before = tiles.indices.filter { index in
            let end = Double(tiles[index].0 + tiles[index].1)
            return isBeside(tiles[index]) && end <= place + reach && end > place - 60
        }.max { tiles[$0].0 + tiles[$0].1 < tiles[$1].0 + tiles[$1].1 }
        let after = tiles.indices.filter { index in
            let start = Double(tiles[index].0)
            return isBeside(tiles[index]) && start >= place - reach && start < place + 60
        }.min { tiles[$0].0 < tiles[$1].0 }
        guard let before, let after else { return nil }
        let (end, start) = (Double(tiles[before].0 + tiles[before].1), Double(tiles[after].0))
        // Between the two, or near one of the edges of a narrow gap.
        guard start >= end, place >= end - reach, place <= start + reach else { return nil }
        return Split(isVertical: isVertical, before: before, after: after)
    }

    /// Moves the edge.
    ///
    /// - Parameters:
    ///   - place: where it is to be.
    ///   - layout: the layout, which is changed.
    ///   - places: the places of a free layout, which are changed.
    ///   - rectangles: the tiles as they are.
    ///   - area: the whole wall.
    func move(
        to place: WindowEvent.MousePosition, _ layout: inout LayoutSettings, _ places: inout [FreeLayout.Place?],
        _ rectangles: [Rectangle], in area: Rectangle
    ) {
        let (target, start, length) = isVertical ? (place.x, area.x, area.width) : (place.y, area.y, area.height)
        guard length > 0, rectangles.indices.contains(before), rectangles.indices.contains(after) else { return }
        let part = (target - Double(start)) / Double(length)
        let first = Self.first(rectangles)
        switch layout.kind {
        case .grid: moveInGrid(target, &layout, rectangles)
        case .spotlight where before == first: layout.share = Self.rounded(part, in: 0.2...0.9)
        case .strip where before == first: layout.share = Self.rounded(1 - part, in: 0.05...0.8)
        case .strip where after == first: layout.share = Self.rounded(part, in: 0.05...0.8)
        case .free: moveFreely(part, &places)
        case .spotlight, .strip, .pip: break
        }
    }

    /// The index of the first tile of the page.
    static func first(_ rectangles: [Rectangle]) -> Int? { rectangles.firstIndex { $0.width > 0 } }

    /// Divides two columns or rows of a grid anew.
    private func moveInGrid(_ target: Double, _ layout: inout LayoutSettings, _ rectangles: [Rectangle]) {
        guard let first = rectangles.first(where: { $0.width > 0 }) else { return }
        let visible = rectangles.filter { $0.width > 0 }
        let columns = visible.prefix { $0.y == first.y }.count
        // The first tile of each row, or all of the first row.
        let line =
            isVertical
            ? Array(visible.prefix(columns)) : stride(from: 0, to: visible.count, by: columns).map { visible[$0] }
        var lengths = line.map { Double(isVertical ? $0.width : $0.height) }
        let start = isVertical ? rectangles[before].x : rectangles[before].y
        guard let index = line.firstIndex(where: { (isVertical ? $0.x : $0.y) == start }), index + 1 < lengths.count
        else { return }
        let sum = lengths[index] + lengths[index + 1]
        lengths[index] = min(max(target - Double(start), sum * 0.1), sum * 0.9)
        lengths[index + 1] = sum - lengths[index]
        let mean = lengths.reduce(0, +) / Double(lengths.count)
        let shares = lengths.map { Self.rounded($0 / mean, in: 0.01...100) }
        if isVertical {
            (layout.columns, layout.columnShares) = (columns, shares)
        } else {
            (layout.columns, layout.rowShares) = (columns, shares)
        }
    }

    /// Moves the edges of both tiles of a free layout.
    private func moveFreely(_ part: Double, _ places: inout [FreeLayout.Place?]) {
        guard places.indices.contains(before), places.indices.contains(after), var left = places[before],
            var right = places[after]
        else { return }
        if isVertical {
            let end = right.x + right.width
            let edge = Self.rounded(part, in: left.x + 0.02...max(left.x + 0.02, end - 0.02))
            (left.width, right.x, right.width) = (edge - left.x, edge, end - edge)
        } else {
            let end = right.y + right.height
            let edge = Self.rounded(part, in: left.y + 0.02...max(left.y + 0.02, end - 0.02))
            (left.height, right.y, right.height) = (edge - left.y, edge, end - edge)
        }
        (places[before], places[after]) = (left, right)
    }

    private static func rounded(_ number: Double, in range: ClosedRange<Double>) -> Double {
        (min(max(number, range.lowerBound), range.upperBound) * 1000).rounded() / 1000
    }
}

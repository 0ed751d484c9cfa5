import MediaIO
import TestSupport
import Testing
import VideoWall

/// What all layouts have in common, over many sizes, numbers of tiles and gaps.
struct LayoutTests {
    static let sizes = [
        (1920, 1080), (1280, 720), (1001, 333), (301, 907), (720, 1280), (640, 640), (7680, 4321), (97, 61),
    ].map { VideoSize(width: $0.0, height: $0.1) }
    static let counts = Array(0...9) + [13, 20, 64]
    static let wide = 16.0 / 9

    /// The layouts whose tiles do not overlap, with a gap and a margin.
    static func layouts(_ gap: Int, _ margin: Int) -> [any WallLayout] {
        var layouts: [any WallLayout] = [
            GridLayout(gap: gap, margin: margin), GridLayout(columns: 3, gap: gap, margin: margin),
            GridLayout(gap: gap, margin: margin, columnShares: [2, 1, 0.5], rowShares: [1, 3]),
            SpotlightLayout(gap: gap, margin: margin),
            SpotlightLayout(index: 2, share: 0.5, gap: gap, margin: margin),
            SpotlightLayout(index: 9, share: 0.8, gap: gap, margin: margin),
        ]
        for edge in StripLayout.Edge.allCases {
            layouts.append(StripLayout(index: 1, edge: edge, gap: gap, margin: margin))
        }
        return layouts
    }

    static func ratios(_ count: Int, _ seed: UInt64) -> [Double] {
        var random = SeededGenerator(seed: seed)
        switch seed % 3 {
        case 0: return Array(repeating: wide, count: count)
        case 1: return Array(repeating: 1 / wide, count: count)
        default: return (0..<count).map { _ in Double.random(in: 0.4...2.5, using: &random) }
        }
    }

    static func isEmpty(_ tile: Rectangle) -> Bool { tile == Rectangle(x: 0, y: 0, width: 0, height: 0) }

    static func isInside(_ tile: Rectangle, _ size: VideoSize, _ margin: Int = 0) -> Bool {
        tile.x >= margin && tile.y >= margin && tile.x + tile.width <= size.width - margin
            && tile.y + tile.height <= size.height - margin
    }

    /// Whether a tile keeps its distance from another one.
    static func areApart(_ one: Rectangle, _ other: Rectangle, _ gap: Int) -> Bool {
        one.x + one.width + gap <= other.x || other.x + other.width + gap <= one.x
            || one.y + one.height + gap <= other.y || other.y + other.height + gap <= one.y
    }

    @Test(arguments: sizes, [(0, 0), (1, 0), (6, 10)])
    func tilesLieInsideAndApart(_ size: VideoSize, _ space: (gap: Int, margin: Int)) {
        for count in Self.counts {
            let ratios = Self.ratios(count, UInt64(count))
            for layout in Self.layouts(space.gap, space.margin) {
                let name = "\(count) in \(size) by \(layout)"
                let tiles = layout.rectangles(aspectRatios: ratios, in: size)
                #expect(tiles.count == count, "\(name)")
                #expect(tiles == layout.rectangles(aspectRatios: ratios, in: size))
                #expect(layout.order(ofTiles: count) == Array(0..<count))
                // Two hundred tiles with gaps do not fit into the smallest area.
                let isRoomy = count <= 20 && size.width > 300 || space.gap == 0 && size.width > 600
                for (index, tile) in tiles.enumerated() {
                    if Self.isEmpty(tile) {
                        if isRoomy { Issue.record("no tile \(index): \(name)") }
                        continue
                    }
                    if tile.width < 1 || tile.height < 1 || !Self.isInside(tile, size, space.margin) {
                        Issue.record("\(tile) is outside: \(name)")
                    }
                    for other in tiles[..<index] where !Self.isEmpty(other) && !Self.areApart(tile, other, space.gap) {
                        Issue.record("\(tile) and \(other): \(name)")
                    }
                }
            }
        }
    }

    /// Each tile that is not at an edge has a neighbour exactly a gap away, or is in an incomplete row.
    @Test(arguments: sizes.dropLast(), [0, 3]) func gapsAreExact(_ size: VideoSize, _ gap: Int) {
        for count in [3, 6, 8, 13, 20] {
            for layout in Self.layouts(gap, 4) {
                let tiles = layout.rectangles(aspectRatios: Self.ratios(count, 0), in: size)
                for tile in tiles where tile.x > 4 && tile.y == 4 {
                    let isNext = tiles.contains { $0.x + $0.width + gap == tile.x && $0.y <= tile.y }
                    #expect(isNext, "\(tile) of \(count) in \(size) by \(layout)")
                }
                for tile in tiles where tile.y > 4 {
                    let isNext = tiles.contains {
                        $0.y + $0.height + gap == tile.y && $0.x < tile.x + tile.width && tile.x < $0.x + $0.width
                    }
                    #expect(isNext, "\(tile) of \(count) in \(size) by \(layout)")
                }
                #expect(tiles.map { $0.x + $0.width }.max() == size.width - 4, "\(layout)")
                #expect(tiles.map { $0.y + $0.height }.max() == size.height - 4, "\(layout)")
            }
        }
    }

    @Test(arguments: [
        (0, 0), (1, 0), (0, 5), (1, 1), (2, 1), (3, 3), (1, 200), (200, 1), (9, 9), (1 << 40, 1 << 40), (.max, .max),
        (.max, 1), (-5, 7), (.min, .min),
    ]) func anyAreaIsAllowed(_ width: Int, _ height: Int) {
        let size = VideoSize(width: width, height: height)
        for count in [0, 1, 2, 3, 9, width > 5 ? 40 : 200] {
            for (gap, margin) in [(0, 0), (2, 1), (1 << 20, 0), (.max, .max)] {
                let others: [any WallLayout] = [
                    PictureInPictureLayout(gap: gap, margin: margin), FocusLayout(index: 1),
                    PagedLayout(base: GridLayout(gap: gap), size: 4, page: 1),
                    FreeLayout([
                        .init(x: 0, y: 0, width: 1, height: 1), .init(x: 0.2, y: 2, width: .infinity, height: 1),
                    ]),
                ]
                for layout in Self.layouts(gap, margin) + others {
                    for first in [0, 3] {
                        let odd = [0, -1, 1e-300, .nan, .infinity, 1e300, Self.wide].dropFirst(first)
                        let ratios = (0..<count).map { odd[first + $0 % odd.count] }
                        let tiles = layout.rectangles(aspectRatios: ratios, in: size)
                        #expect(tiles.count == count)
                        for tile in tiles where tile.width != 0 && tile.height != 0 {
                            let isInside = tile.width > 0 && tile.height > 0 && Self.isInside(tile, size)
                            #expect(isInside, "\(tile) in \(size) by \(layout)")
                        }
                    }
                }
            }
        }
    }

    @Test func twoHundredTilesFit() {
        let size = VideoSize(width: 1920, height: 1080)
        for layout in Self.layouts(1, 2) {
            let tiles = layout.rectangles(aspectRatios: Self.ratios(200, 2), in: size)
            #expect(tiles.count == 200 && !tiles.contains(where: Self.isEmpty), "\(layout)")
            for (index, tile) in tiles.enumerated() {
                if !Self.isInside(tile, size, 2) { Issue.record("\(tile) by \(layout)") }
                for other in tiles[..<index] where !Self.areApart(tile, other, 1) {
                    Issue.record("\(tile) and \(other) by \(layout)")
                }
            }
        }
    }

    @Test func sharesAreClamped() {
        #expect(SpotlightLayout(share: 0).share == 0.2 && SpotlightLayout(share: 2).share == 0.9)
        #expect(SpotlightLayout(share: .nan).share == SpotlightLayout().share)
        #expect(StripLayout(share: -.infinity).share == 0.05 && StripLayout(share: .infinity).share == 0.8)
        var layout = PictureInPictureLayout()
        layout.share = 7
        #expect(layout.share == 0.9)
        var grid = GridLayout(columnShares: [0, .nan, .infinity, 2])
        #expect(grid.columnShares == [0.01, 1, 100, 2])
        grid.rowShares = [-1]
        #expect(grid.rowShares == [0.01])
    }

    @Test func negativeSpaceIsRefused() async {
        await #expect(processExitsWith: .failure) { _ = GridLayout(margin: -1) }
        await #expect(processExitsWith: .failure) { _ = SpotlightLayout(gap: -1) }
        await #expect(processExitsWith: .failure) { _ = StripLayout(margin: -1) }
        await #expect(processExitsWith: .failure) { _ = PictureInPictureLayout(gap: -1) }
    }
}

/// Grids with a margin and with columns and rows of different sizes.
struct GridShareTests {
    private static let ratios = Array(repeating: 16.0 / 9, count: 6)

    @Test func aMarginMovesAndShrinksTheGrid() {
        for count in 1...20 {
            let ratios = Array(repeating: 1.5, count: count)
            let inner = GridLayout(gap: 3).rectangles(aspectRatios: ratios, in: VideoSize(width: 601, height: 400))
            let tiles = GridLayout(gap: 3, margin: 7).rectangles(
                aspectRatios: ratios, in: VideoSize(width: 615, height: 414))
            #expect(tiles == inner.map { Rectangle(x: $0.x + 7, y: $0.y + 7, width: $0.width, height: $0.height) })
        }
    }

    @Test func columnsAndRowsHaveTheirShares() {
        let layout = GridLayout(rows: 2, columns: 3, gap: 10, columnShares: [2, 1], rowShares: [3])
        let tiles = layout.rectangles(aspectRatios: Self.ratios, in: VideoSize(width: 420, height: 210))
        #expect(tiles.map(\.width) == [200, 100, 100, 200, 100, 100])
        #expect(tiles.map(\.x) == [0, 210, 320, 0, 210, 320])
        #expect(tiles.map(\.height) == [150, 150, 150, 50, 50, 50])
        #expect(tiles.map(\.y) == [0, 0, 0, 160, 160, 160])
    }

    /// Equal shares are no shares, to the pixel, but for the place of an incomplete row.
    @Test(arguments: [640, 641, 1919, 77]) func equalSharesChangeNothing(_ width: Int) {
        for count in [1, 4, 6, 9, 12] {
            let ratios = Array(repeating: 16.0 / 9, count: count)
            let size = VideoSize(width: width, height: width * 9 / 16)
            let plain = GridLayout(gap: 2).rectangles(aspectRatios: ratios, in: size)
            let shares = Array(repeating: 1.0, count: 12)
            let equal = GridLayout(gap: 2, columnShares: shares, rowShares: shares)
                .rectangles(aspectRatios: ratios, in: size)
            #expect(plain.count == equal.count)
            for (one, other) in zip(plain, equal) {
                #expect(abs(one.width - other.width) <= 1 && abs(one.x - other.x) <= 1 && abs(one.y - other.y) <= 1)
            }
        }
    }

    @Test func anIncompleteRowKeepsToUnequalColumns() {
        let tiles = GridLayout(columns: 3, columnShares: [2]).rectangles(
            aspectRatios: Array(repeating: 1, count: 4), in: VideoSize(width: 400, height: 200))
        #expect(tiles[3] == Rectangle(x: 0, y: 100, width: 200, height: 100))
    }
}

import MediaIO
import TestSupport
import Testing
import VideoWall

/// One large tile and others beside it.
struct LargeTileTests {
    private static let wide = LayoutTests.wide

    private static func area(_ tile: Rectangle) -> Int { tile.width * tile.height }

    @Test(arguments: LayoutTests.sizes, [0, 4]) func theLargeOneIsTheLargest(_ size: VideoSize, _ gap: Int) {
        for count in [2, 3, 4, 5, 7, 9, 13, 20, 40] {
            for index in [0, count / 2, count - 1] {
                let layouts: [any WallLayout] = [
                    SpotlightLayout(index: index, gap: gap), StripLayout(index: index, gap: gap),
                    StripLayout(index: index, edge: .top, gap: gap), PictureInPictureLayout(index: index, gap: gap),
                ]
                for layout in layouts {
                    for seed in 0..<3 {
                        let ratios = LayoutTests.ratios(count, UInt64(seed))
                        let tiles = layout.rectangles(aspectRatios: ratios, in: size)
                        let others = tiles.indices.filter { $0 != index }.map { Self.area(tiles[$0]) }
                        #expect(Self.area(tiles[index]) > others.max() ?? 0, "\(count) in \(size) by \(layout)")
                    }
                }
            }
        }
    }

    /// The classic multiviews: the large tile, the number at its right, the number below it.
    @Test(arguments: [(6, 2.0 / 3, 3, 2), (8, 0.75, 4, 3), (10, 0.8, 5, 4), (13, 0.5, 8, 4)])
    func multiviewsAreWithoutWaste(_ count: Int, _ share: Double, _ right: Int, _ below: Int) {
        let size = VideoSize(width: 1920, height: 1080)
        let tiles = SpotlightLayout(share: share).rectangles(
            aspectRatios: Array(repeating: Self.wide, count: count), in: size)
        let large = tiles[0]
        #expect(large == Rectangle(x: 0, y: 0, width: large.width, height: large.height))
        #expect(abs(Double(large.width) - 1920 * share) <= 1 && abs(Double(large.height) - 1080 * share) <= 1)
        #expect(tiles.dropFirst().count { $0.x >= large.width } == right)
        #expect(tiles.dropFirst().count { $0.x < large.width } == below)
        #expect(tiles.reduce(0) { $0 + Self.area($1) } == Self.area(Rectangle(x: 0, y: 0, width: 1920, height: 1080)))
        for tile in tiles.dropFirst() {
            let waste = abs(Double(tile.width) / Double(tile.height) / Self.wide - 1)
            #expect(waste < 0.02, "\(tile)")
        }
    }

    /// Where the share leaves no exact grid, the pictures are still of about the same size.
    @Test(arguments: [(8, 4), (9, 5), (10, 3), (13, 4), (17, 12)]) func noPictureIsFarSmallerThanTheOthers(
        _ count: Int, _ right: Int
    ) {
        let tiles = SpotlightLayout().rectangles(
            aspectRatios: Array(repeating: Self.wide, count: count), in: VideoSize(width: 1920, height: 1080))
        #expect(tiles.dropFirst().count { $0.x >= tiles[0].width } == right)
        let widths = tiles.dropFirst().map { min(Double($0.width), Double($0.height) * Self.wide) }
        #expect((widths.min() ?? 0) * 2.1 > widths.max() ?? 0)
    }

    @Test func inAPortraitAreaTheOthersAreBelow() {
        let size = VideoSize(width: 1080, height: 1920)
        let layouts: [(any WallLayout, Double)] = [(SpotlightLayout(gap: 2), 2.0 / 3), (StripLayout(gap: 2), 0.8)]
        for (layout, share) in layouts {
            for count in [2, 5, 9] {
                let tiles = layout.rectangles(aspectRatios: Array(repeating: 1 / Self.wide, count: count), in: size)
                #expect(tiles[0].width == 1080 && abs(Double(tiles[0].height) - 1918 * share) <= 1)
                #expect(tiles.dropFirst().allSatisfy { $0.y >= tiles[0].height + 2 })
            }
        }
    }

    @Test(arguments: [
        (StripLayout.Edge.left, Rectangle(x: 202, y: 0, width: 800, height: 500)),
        (.right, Rectangle(x: 0, y: 0, width: 800, height: 500)),
        (.automatic, Rectangle(x: 0, y: 0, width: 800, height: 500)),
        (.top, Rectangle(x: 0, y: 102, width: 1002, height: 398)),
        (.bottom, Rectangle(x: 0, y: 0, width: 1002, height: 398)),
    ]) func theStripIsAtItsEdge(_ edge: StripLayout.Edge, _ large: Rectangle) {
        let layout = StripLayout(index: 1, edge: edge, gap: 2)
        let tiles = layout.rectangles(
            aspectRatios: [Self.wide, Self.wide, Self.wide], in: VideoSize(width: 1002, height: 500))
        #expect(tiles[1] == large)
        let isVertical = edge != .top && edge != .bottom
        #expect(isVertical ? tiles[0].x == tiles[2].x : tiles[0].y == tiles[2].y)
        #expect(isVertical ? tiles[0].width == 200 : tiles[0].height == 100)
    }

    /// Instead of slivers, the strip has more columns or rows.
    @Test(arguments: [1, 2, 4, 8, 16, 40, 100, 199]) func aLongStripHasSeveralLines(_ count: Int) {
        for (edge, size) in [
            (StripLayout.Edge.right, VideoSize(width: 1920, height: 1080)),
            (.bottom, VideoSize(width: 1080, height: 1920)),
        ] {
            for ratio in [Self.wide, 1 / Self.wide] {
                let tiles = StripLayout(edge: edge).rectangles(
                    aspectRatios: Array(repeating: ratio, count: count + 1), in: size)
                for tile in tiles.dropFirst() {
                    let shape = Double(tile.width) / Double(tile.height) / ratio
                    #expect(edge == .right ? shape <= 4.3 : 1 / shape <= 4.3, "\(tile) of \(count)")
                }
                let lines = Set(tiles.dropFirst().map { edge == .right ? $0.width : $0.height }).count
                #expect(lines <= 2)
                // Pictures that are long across the strip.
                guard count <= 4, (ratio > 1) == (edge == .right) else { continue }
                #expect(Set(tiles.dropFirst().map { edge == .right ? $0.x : $0.y }).count == 1)
            }
        }
    }

    @Test(arguments: PictureInPictureLayout.Corner.allCases) func smallOnesBeginAtTheirCorner(
        _ corner: PictureInPictureLayout.Corner
    ) {
        let size = VideoSize(width: 1280, height: 720)
        let layout = PictureInPictureLayout(index: 1, corner: corner, gap: 8, margin: 16)
        let tiles = layout.rectangles(aspectRatios: [Self.wide, Self.wide, 0.5, 2], in: size)
        #expect(tiles[1] == Rectangle(x: 0, y: 0, width: 1280, height: 720))
        #expect([tiles[0], tiles[2], tiles[3]].map(\.width) == [320, 90, 360])
        #expect([tiles[0], tiles[2], tiles[3]].allSatisfy { $0.height == 180 })
        let isRight = corner == .topRight || corner == .bottomRight
        let isBottom = corner == .bottomLeft || corner == .bottomRight
        #expect(isRight ? tiles[0].x + 320 == 1264 : tiles[0].x == 16)
        #expect(isBottom ? tiles[0].y + 180 == 704 : tiles[0].y == 16)
        #expect(isRight ? tiles[2].x + 90 + 8 == tiles[0].x : tiles[2].x == 16 + 320 + 8)
        #expect(layout.order(ofTiles: 4) == [1, 0, 2, 3] && layout.order(ofTiles: 0) == [])
        #expect(layout.order(ofTiles: 1) == [0])
    }

    /// Small tiles never overlap each other nor leave the margin, and become smaller before they vanish.
    @Test(arguments: LayoutTests.sizes, PictureInPictureLayout.Corner.allCases)
    func smallOnesFit(_ size: VideoSize, _ corner: PictureInPictureLayout.Corner) {
        for count in [1, 2, 3, 7, 20, 64] {
            let layout = PictureInPictureLayout(corner: corner, gap: 2, margin: 3)
            for seed in 0..<3 {
                let tiles = layout.rectangles(aspectRatios: LayoutTests.ratios(count, UInt64(seed)), in: size)
                #expect(tiles[0] == Rectangle(x: 0, y: 0, width: size.width, height: size.height))
                if size.width > 300 { #expect(!tiles.contains(where: LayoutTests.isEmpty), "\(count) in \(size)") }
                let small = tiles.dropFirst().filter { !LayoutTests.isEmpty($0) }
                for (index, tile) in small.enumerated() {
                    if !LayoutTests.isInside(tile, size, 3) { Issue.record("\(tile) of \(count) in \(size)") }
                    for other in small[..<index] where !LayoutTests.areApart(tile, other, 2) {
                        Issue.record("\(tile) and \(other) of \(count) in \(size)")
                    }
                }
            }
        }
    }

    @Test func anIndexWithoutATileCountsAsTheNearest() {
        let size = VideoSize(width: 320, height: 180)
        for (index, large) in [(-3, 0), (99, 2)] {
            let layouts: [any WallLayout] = [
                SpotlightLayout(index: index), StripLayout(index: index), PictureInPictureLayout(index: index),
                FocusLayout(index: index),
            ]
            for layout in layouts {
                let areas = layout.rectangles(aspectRatios: [1, 1, 1], in: size).map(Self.area)
                #expect(areas.indices.max { areas[$0] < areas[$1] } == large)
            }
        }
    }
}

/// One tile, or one page of tiles.
struct PageTests {
    @Test func onlyTheFocusedTileIsShown() {
        let tiles = FocusLayout(index: 1).rectangles(
            aspectRatios: [1, 2, 3], in: VideoSize(width: 300, height: 200))
        #expect(tiles.map(\.width) == [0, 300, 0] && tiles[1].height == 200)
    }

    @Test(arguments: [(0, 4, 1), (1, 4, 1), (4, 4, 1), (5, 4, 2), (200, 9, 23), (3, 1, 3), (3, -7, 3), (7, .max, 1)])
    func pagesAreCounted(_ tiles: Int, _ size: Int, _ pages: Int) {
        #expect(PagedLayout(base: GridLayout(), size: size).pageCount(of: tiles) == pages)
    }

    @Test func aPageLooksAsIfItWereAlone() {
        let size = VideoSize(width: 640, height: 360)
        let ratios = (0..<10).map { 1 + Double($0) / 10 }
        let base = PictureInPictureLayout(index: 1)
        for (page, shown) in [(0, 0..<4), (1, 4..<8), (2, 8..<10), (3, 8..<10), (-1, 0..<4)] {
            let layout = PagedLayout(base: base, size: 4, page: page)
            let tiles = layout.rectangles(aspectRatios: ratios, in: size)
            let alone = base.rectangles(aspectRatios: Array(ratios[shown]), in: size)
            #expect(Array(tiles[shown]) == alone)
            for index in tiles.indices where !shown.contains(index) { #expect(LayoutTests.isEmpty(tiles[index])) }
            let order = layout.order(ofTiles: 10)
            #expect(Set(order) == Set(0..<10) && order.count == 10)
            #expect(Array(order.suffix(2)) == (page < 2 ? [shown.lowerBound + 2, shown.lowerBound + 3] : [9, 8]))
        }
        #expect(PagedLayout(base: base, size: 4, page: 2).rectangles(aspectRatios: [], in: size).isEmpty)
    }
}

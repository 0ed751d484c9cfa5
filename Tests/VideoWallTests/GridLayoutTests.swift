import MediaIO
import TestSupport
import Testing
import VideoWall

/// Tiles: how many side by side, and that they fit without a seam.
struct GridLayoutTests {
    static let wide = 16.0 / 9
    static let screen = VideoSize(width: 1920, height: 1080)

    static func columns(_ tiles: [Rectangle]) -> Int { tiles.count { $0.y == tiles[0].y } }

    /// No two tiles share a pixel, all lie in the picture, and their sizes differ by one pixel at most.
    static func check(_ tiles: [Rectangle], _ size: VideoSize, gap: Int = 0) {
        for (index, tile) in tiles.enumerated() {
            #expect(tile.width > 0 && tile.height > 0)
            #expect(tile.x >= 0 && tile.y >= 0)
            #expect(tile.x + tile.width <= size.width && tile.y + tile.height <= size.height)
            #expect(abs(tile.width - tiles[0].width) <= 1 && abs(tile.height - tiles[0].height) <= 1)
            for other in tiles[..<index] {
                let apart =
                    other.x + other.width + gap <= tile.x || tile.x + tile.width + gap <= other.x
                    || other.y + other.height + gap <= tile.y || tile.y + tile.height + gap <= other.y
                #expect(apart, "\(tile) and \(other)")
            }
        }
    }

    @Test(arguments: 1...30, [0, 1, 8]) func tilesCoverWithoutOverlap(_ count: Int, _ gap: Int) {
        for size in [Self.screen, VideoSize(width: 1000, height: 333), VideoSize(width: 301, height: 907)] {
            let layout = GridLayout(gap: gap)
            let tiles = layout.rectangles(aspectRatios: Array(repeating: Self.wide, count: count), in: size)
            #expect(tiles.count == count)
            Self.check(tiles, size, gap: gap)
            let columns = Self.columns(tiles)
            // Full rows reach from edge to edge.
            for row in stride(from: 0, to: count - columns + 1, by: columns) {
                let inRow = tiles[row..<row + columns]
                #expect(inRow.first?.x == 0)
                #expect(inRow.last.map { $0.x + $0.width } == size.width)
                #expect(inRow.reduce(0) { $0 + $1.width } + gap * (columns - 1) == size.width)
            }
            #expect(tiles.last.map { $0.y + $0.height } == size.height)
            // An incomplete row is in the middle.
            if let first = tiles.dropFirst(count / columns * columns).first, let last = tiles.last {
                #expect(abs(first.x - (size.width - last.x - last.width)) <= 2)
            }
        }
    }

    /// Of all grids the chosen one covers the most; checked against trying them all.
    @Test(arguments: 1...30) func bestShape(_ count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for _ in 0..<20 {
            let aspects = (0..<count).map { _ in Double.random(in: 0.4...2.5, using: &random) }
            let size = VideoSize(
                width: .random(in: 200...2000, using: &random), height: .random(in: 200...2000, using: &random))
            func area(_ tiles: [Rectangle]) -> Double {
                zip(tiles, aspects).reduce(0) { sum, pair in
                    let (width, height) = (Double(pair.0.width), Double(pair.0.height))
                    return sum + min(width, height * pair.1) * min(height, width / pair.1)
                }
            }
            let chosen = area(GridLayout().rectangles(aspectRatios: aspects, in: size))
            let best =
                (1...count).map { area(GridLayout(columns: $0).rectangles(aspectRatios: aspects, in: size)) }.max() ?? 0
            // Tiles are whole pixels, the choice is made before rounding.
            #expect(chosen >= best * 0.96, "\(count) in \(size)")
        }
    }

    /// Where two grids show the streams equally large, it is the one with more columns.
    @Test(arguments: [(1, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (7, 3), (9, 3), (12, 4), (16, 4), (25, 5)])
    func wideStreamsOnAWideScreen(_ count: Int, _ columns: Int) {
        let tiles = GridLayout().rectangles(aspectRatios: Array(repeating: Self.wide, count: count), in: Self.screen)
        #expect(Self.columns(tiles) == columns)
    }

    @Test func narrowStreamsStandSideBySide() {
        let tall = GridLayout().rectangles(aspectRatios: [9.0 / 16, 9.0 / 16, 9.0 / 16], in: Self.screen)
        #expect(Self.columns(tall) == 3)
        let stacked = GridLayout().rectangles(aspectRatios: [3, 3, 3], in: VideoSize(width: 500, height: 500))
        #expect(Self.columns(stacked) == 1)
    }

    @Test func givenRowsAndColumns() {
        let aspects = Array(repeating: Self.wide, count: 6)
        func columns(_ layout: GridLayout) -> Int {
            Self.columns(layout.rectangles(aspectRatios: aspects, in: Self.screen))
        }
        #expect(columns(GridLayout(rows: 1)) == 6)
        #expect(columns(GridLayout(rows: 6)) == 1)
        #expect(columns(GridLayout(columns: 2)) == 2)
        let tiles = GridLayout(rows: 2, columns: 4).rectangles(aspectRatios: aspects, in: Self.screen)
        Self.check(tiles, Self.screen)
        #expect(tiles.map(\.width) == Array(repeating: 480, count: 6))
        #expect(tiles.map(\.x) == [0, 480, 960, 1440, 480, 960])
        #expect(tiles.map(\.y) == [0, 0, 0, 0, 540, 540])
    }

    @Test func tooManyForTheGridAreEmpty() {
        let aspects = Array(repeating: 1.0, count: 5)
        let tiles = GridLayout(rows: 2, columns: 2).rectangles(
            aspectRatios: aspects, in: VideoSize(width: 10, height: 10))
        #expect(tiles.count == 5)
        Self.check(Array(tiles[..<4]), VideoSize(width: 10, height: 10))
        #expect(tiles[4] == Rectangle(x: 0, y: 0, width: 0, height: 0))
    }

    @Test func aGridWithoutColumnsIsRefused() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var layout = GridLayout()
            layout.columns = 0
        }
        let told = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(told.contains("A grid needs a row and a column, and no negative gap."))
    }

    @Test func noStreamsNoTiles() { #expect(GridLayout().rectangles(aspectRatios: [], in: Self.screen).isEmpty) }

    /// A picture without room for the grid has tiles that are empty or inside it, and never a negative size.
    @Test(arguments: [(1, 1), (3, 2), (5, 40), (40, 5), (10, 10)]) func hardlyAnyRoom(_ width: Int, _ height: Int) {
        let size = VideoSize(width: width, height: height)
        for count in 1...30 {
            for layout in [GridLayout(), GridLayout(gap: 4), GridLayout(rows: 3), GridLayout(columns: 7, gap: 2)] {
                let tiles = layout.rectangles(aspectRatios: Array(repeating: 1.5, count: count), in: size)
                #expect(tiles.count == count)
                for tile in tiles where tile.width != 0 || tile.height != 0 {
                    #expect(tile.width > 0 && tile.height > 0, "\(count) of \(layout) in \(size): \(tile)")
                    #expect(tile.x >= 0 && tile.y >= 0)
                    #expect(
                        tile.x + tile.width <= width && tile.y + tile.height <= height, "\(count) of \(layout): \(tile)"
                    )
                }
            }
        }
    }
}

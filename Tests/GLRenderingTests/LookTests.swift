import Foundation
import MediaIO
import TestSupport
import Testing
import TextRaster

@testable import VideoWall

/// What `Resources/look.md` says of the tiles, measured in pictures of them at four screens.
@Suite(.everyRenderer, .renderTurn) struct LookTests {
    /// A screen: its size, and how dense its pixels are.
    struct Screen: Sendable {
        let size: VideoSize
        let scale: Double
        let columns: Int
    }

    static let screens = [
        Screen(size: VideoSize(width: 640, height: 360), scale: 1, columns: 3),
        Screen(size: VideoSize(width: 1280, height: 720), scale: 1, columns: 4),
        Screen(size: VideoSize(width: 2560, height: 1440), scale: 2, columns: 4),
        Screen(size: VideoSize(width: 3840, height: 2160), scale: 1, columns: 4),
    ]

    /// A wall with a tile in each state, with pictures of one luma.
    private func wall(_ screen: Screen, luma: Float, _ states: [TileState] = TileState.allCases) throws -> TestWall {
        let test = try TestWall(layout: GridLayout(columns: screen.columns, gap: 2))
        let now = Monitor(MonotonicTime(sinceBoot: .seconds(1000)))
        test.wall.now = { now.withLock { $0 } }
        (test.wall.tileLook.hasBars, test.wall.tileLook.hasAges, test.wall.tileLook.scale) = (true, true, screen.scale)
        test.wall.tileLook.clockOffset = .zero
        for state in states {
            let tile = WallTile(name: "\(state)", mailbox: FrameMailbox(now: { now.withLock { $0 } }))
            test.wall.insert(tile)
            try show(state, in: tile, luma)
        }
        test.wall.update(size: screen.size)
        for (tile, state) in zip(test.wall.tiles, states) where state == .stalled || state == .late {
            tile.silenceLadder =
                state == .late
                ? SilenceLadder(late: .seconds(3), stalled: .seconds(60))
                : SilenceLadder(late: .seconds(1), stalled: .seconds(2))
        }
        test.wall.update(size: screen.size)
        now.withLock { $0 = $0 + .seconds(5) }
        return test
    }

    private func show(_ state: TileState, in tile: WallTile, _ luma: Float) throws {
        if state == .connecting { return }
        let value = UInt8(16 + 219 * luma)
        let picture = SamplePicture(
            format: .i420, size: VideoSize(width: 64, height: 36), luma: { _, _ in value }, cb: { _, _ in 128 },
            cr: { _, _ in 128 })
        tile.mailbox.put(VideoFrame(try picture.buffer()))
        tile.hasClock = state == .live
        switch state {
        case .noSignal: tile.mailbox.sourceDidChange(.waiting("", code: .noSignal))
        case .noVideo: tile.mailbox.sourceDidChange(.waiting("", code: .noVideo))
        case .offline: tile.mailbox.sourceDidChange(.waiting("", code: .readFailed))
        case .ended: tile.mailbox.sourceDidChange(.ended)
        case .failed: tile.mailbox.sourceDidChange(.failed(""))
        case .paused: tile.isPaused = true
        case .connecting, .live, .late, .stalled, .frozen: break
        }
    }

    /// The linear light of each code value (WCAG 2.1).
    private static let light = (0..<256).map { value in
        let value = Double(value) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The contrast of the brightest pixel of an area to the most frequent one, of some rows of pixels.
    private func contrast(_ area: Rectangle, _ picture: RGBAImage) -> Double {
        var counts = [Int](repeating: 0, count: 1001)
        var brightest = 0.0
        // Every row of the smallest letters, and as many of larger ones.
        let step = max(1, area.height / 20)
        for y in stride(from: area.y, to: area.y + area.height, by: step) {
            var place = 4 * (y * picture.size.width + area.x)
            for _ in 0..<min(area.width, 400) {
                let red = Self.light[Int(picture.bytes[place])] * 0.2126
                let green = Self.light[Int(picture.bytes[place + 1])] * 0.7152
                let luminance = red + green + Self.light[Int(picture.bytes[place + 2])] * 0.0722
                counts[Int(luminance * 1000)] += 1
                brightest = max(brightest, luminance)
                place += 4
            }
        }
        let most = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        return (brightest + 0.05) / (Double(most + 1) / 1000 + 0.05)
    }

    @Test(
        "Text has a contrast of 4.5:1 and signs of 3:1, on white and on black", arguments: screens, [0, 1] as [Float])
    func contrast(_ screen: Screen, _ luma: Float) throws {
        let test = try wall(screen, luma: luma)
        let picture = try test.picture(screen.size)
        for (tile, drawn) in zip(test.wall.tiles, test.wall.scene.tiles) {
            let (area, look) = (drawn.rectangle, test.wall.tileLook)
            let (font, height) = (TileBar.fontSize(area, look), TileBar.height(area, look))
            let border = Int(3 * screen.scale)
            #expect(height > font)
            let bar = Rectangle(
                x: area.x + border, y: area.y + area.height - height + 1, width: area.width - 2 * border,
                height: height - 1 - border)
            let sign = Rectangle(x: bar.x, y: bar.y, width: font * 3 / 2, height: bar.height)
            let text = Rectangle(
                x: bar.x + font * 2, y: bar.y, width: bar.width - font * 2, height: bar.height)
            #expect(contrast(text, picture) >= 4.5, "\(tile.name)")
            #expect(contrast(sign, picture) >= 3, "\(tile.name)")
            // The headline over the dimmed picture.
            if drawn.overlays.contains(where: { $0.bounds == area && !$0.hasImage }) {
                let middle = Rectangle(
                    x: area.x + area.width / 8, y: area.y + area.height / 4, width: area.width * 3 / 4,
                    height: area.height / 2)
                #expect(contrast(middle, picture) >= 4.5, "\(tile.name)")
            }
        }
    }

    @Test("An old picture has a border of 3 pixels in the colour of its state", arguments: screens)
    func border(_ screen: Screen) throws {
        let test = try wall(screen, luma: 0.5, [.live, .stalled, .offline])
        let picture = try test.picture(screen.size)
        let thickness = Int(3 * screen.scale)
        for (index, tile) in test.wall.scene.tiles.enumerated() {
            let area = tile.rectangle
            let color = TileState.Severity.fault.color
            let wanted = [color.x, color.y, color.z].map { Int(($0 * 255).rounded()) }
            func isBorder(_ x: Int, _ y: Int) -> Bool {
                zip(picture.pixel(x, y), wanted).allSatisfy { abs($0 - $1) <= 1 }
            }
            let y = area.y + area.height / 4
            #expect(isBorder(area.x, y) == (index > 0) && isBorder(area.x + thickness - 1, y) == (index > 0))
            #expect(!isBorder(area.x + thickness, y))
            #expect(isBorder(area.x + area.width - 1, y) == (index > 0))
        }
    }

    @Test("The surroundings are one grey: between tiles, beside pictures, and in an empty place", arguments: screens)
    func surround(_ screen: Screen) throws {
        let test = try wall(screen, luma: 1, [.live, .live])
        test.wall.layout = GridLayout(rows: 1, columns: 3, gap: 2)
        test.wall.surround = SIMD3(13, 17, 23) / 255
        test.wall.tileLook.hasBars = false
        let picture = try test.picture(screen.size)
        let tiles = test.wall.scene.tiles
        let (first, second) = (tiles[0].rectangle, tiles[1].rectangle)
        let gap = first.x + first.width
        #expect(second.x == gap + 2)
        let middle = screen.size.height / 2
        // Pictures of 16:9 in tiles that are higher than wide. Where there is no third tile depends on the alignment.
        let empty = first.x > 0 ? first.x / 2 : screen.size.width - 9
        for (x, y) in [(gap, middle), (gap + 1, middle), (first.x + 20, 0), (empty, middle)] {
            #expect(picture.pixel(x, y) == [13, 17, 23], "\(x) \(y)")
        }
        #expect(picture.pixel(first.x + 20, middle) == [255, 255, 255])
        test.wall.surround = .zero
        let black = try test.picture(screen.size)
        #expect(black.pixel(gap, middle) == [0, 0, 0])
    }
}

/// What `Resources/look.md` says of sizes, signs and colours.
struct LookRuleTests {
    @Test(
        "Letters grow with their tile",
        arguments: [
            (160, 90, 1, 13), (240, 135, 1, 13), (320, 180, 1, 13), (640, 360, 1, 18), (960, 540, 1, 27),
            (1920, 1080, 1, 36), (3840, 2160, 1, 36), (240, 135, 2, 26), (3840, 2160, 2, 72), (270, 480, 1, 15),
        ] as [(Int, Int, Double, Int)])
    func sizes(_ width: Int, _ height: Int, _ scale: Double, _ font: Int) {
        var look = TileLook()
        look.scale = scale
        let tile = Rectangle(x: 0, y: 0, width: width, height: height)
        #expect(TileBar.fontSize(tile, look) == font)
        #expect(TileBar.height(tile, look) == (height >= 3 * (font * 17 / 10) ? font * 17 / 10 : 0))
    }

    @Test("No two signs look alike, at any size", arguments: [11, 29, 101])
    func signs(_ side: Int) {
        let images = TileState.allCases.map { TileSign($0).image(side: side).bytes.map(Int.init) }
        for first in images.indices {
            let ink = images[first].reduce(0, +)
            #expect(ink > 255 * side / 2)
            for second in images.indices where second > first {
                let difference = zip(images[first], images[second]).reduce(0) { $0 + abs($1.0 - $1.1) }
                #expect(difference * 4 > ink, "\(TileState.allCases[first]) and \(TileState.allCases[second])")
            }
        }
    }

    @Test("The colours of signs differ for people who see no red or no green")
    func colors() {
        // Viénot, Brettel and Mollon 1999, in linear sRGB, rounded to three digits: protanopia and deuteranopia.
        let simulations: [[SIMD3<Double>]] = [
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0.112, 0.888, 0], [0.112, 0.888, 0], [0.004, -0.004, 1]],
            [[0.293, 0.707, 0], [0.293, 0.707, 0], [-0.022, 0.022, 1]],
        ]
        let colors = [TileState.Severity.normal, .idle, .warning, .fault].map(\.color)
        for rows in simulations {
            let seen = colors.map { color in
                let linear = SIMD3<Double>([color.x, color.y, color.z].map { pow(Double($0), 2.2) })
                return lab(SIMD3(rows.map { max(0, ($0 * linear).sum()) }))
            }
            for first in seen.indices {
                for second in seen.indices where second > first {
                    let difference = seen[first] - seen[second]
                    #expect((difference * difference).sum().squareRoot() > 20, "\(first) \(second)")
                }
            }
        }
    }

    /// CIE L*a*b* of linear sRGB, for D65.
    private func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let rows: [SIMD3<Double>] = [
            [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505],
        ]
        let white: [Double] = [0.9505, 1, 1.089]
        let f = zip(rows, white).map { row, white in
            let t = (row * rgb).sum() / white
            return t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116
        }
        return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
    }

    @Test("Figures are tabular: a clock does not jump", arguments: [13, 36, 80])
    func figures(_ fontSize: Int) {
        let painter = TilePainter(TextRasterizer())
        let style = TextStyle(fontSize: fontSize)
        let sizes = Set(["00:00:00", "11:11:11", "17:45:29"].map { painter.figures($0, style).size.width })
        #expect(sizes.count == 1)
        let ones = painter.figures("11:11:11", style)
        #expect(ones.bytes.contains { $0 > 200 } && ones.size.height < 2 * fontSize)
        #expect(painter.figures("11:11:11", style) === ones)
    }
}

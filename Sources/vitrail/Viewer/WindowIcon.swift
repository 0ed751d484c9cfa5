import WindowGL

/// The program's icon as pixels, for desktops that take it from the window: Resources/vitrail.svg, without its light.
struct WindowIcon {
    /// Pixels in a row, and rows.
    static let side = 64
    private typealias Point = (x: Double, y: Double)

    /// The number of samples per pixel in each direction, whose mean antialiases the icon.
    private static let detail = 3
    private static let width = side * detail
    /// The drawing is in units of 128 to a side.
    private static let scale = Double(width) / 128
    private static let lead: UInt32 = 0xff1b_1d24

    /// Alpha, red, green and blue of each sample; 0 where nothing was drawn.
    private var places = [UInt32](repeating: 0, count: width * width)

    /// Sets the icon of a window.
    ///
    /// **Cost:** rare; a millisecond.
    static func set(on window: Window) { window.setIcon(rgba: pixels(), width: side, height: side) }

    /// Draws the icon: red, green, blue, alpha, 8 bits each, not premultiplied.
    static func pixels() -> [UInt8] {
        var icon = WindowIcon()
        icon.drawPanes()
        icon.drawLead()
        return icon.reduced
    }

    private mutating func drawPanes() {
        let arch = Self.arch
        fill(arch, 0xff1f_6fb4)
        let panes: [([Point], UInt32)] = [
            ([(64, 0), (128, 0), (128, 62), (64, 62)], 0xff7a_3fa0),
            ([(0, 62), (64, 62), (64, 128), (0, 128)], 0xffc8_343c),
            ([(64, 62), (128, 62), (128, 128), (64, 128)], 0xff2e_8b57),
            ([(20, 122), (48, 80), (64, 94), (64, 128)], 0xffe8_762c),
            ([(108, 122), (80, 80), (64, 94), (64, 128)], 0xff16_7a8b),
            ([(20, 62), (48, 46), (64, 30)] + arch[1...9].reversed(), 0xff3a_a0d8),
            ([(108, 62), (80, 46), (64, 30)] + arch[10...18], 0xffb4_5fc4),
            (Self.disc(22), 0xfff2_b632),
        ]
        for (pane, color) in panes { fill(pane, color, onlyInside: true) }
    }

    private mutating func drawLead() {
        let lines: [[Point]] = [
            [(64, 6), (64, 40)], [(64, 84), (64, 122)], [(20, 62), (42, 62)], [(86, 62), (108, 62)],
            [(20, 122), (48, 80), (64, 94), (80, 80), (108, 122)], [(20, 62), (48, 46), (64, 30), (80, 46), (108, 62)],
            Self.disc(22) + Self.disc(22).prefix(1),
        ]
        for line in lines { stroke(line, 4) }
        let play: [Point] = [(57, 50), (57, 74), (77, 62), (57, 50)]
        fill(play, 0xfffb_e08a)
        stroke(play, 2.5)
        stroke(Self.arch + Self.arch.prefix(1), 6)
    }

    /// The corners of the window: its left side, 9 points up to its top, 9 down from there, its right side.
    private static let arch: [Point] = {
        let right = (0...8).map { step -> Point in
            let (t, s) = (Double(step) / 8, 1 - Double(step) / 8)
            func curve(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
                a * s * s * s + 3 * b * s * s * t + 3 * c * s * t * t + d * t * t * t
            }
            return (curve(64, 88, 108, 108), curve(6, 12, 34, 62))
        }
        return [(20, 122)] + right.reversed().map { (128 - $0.x, $0.y) } + right + [(108, 122)]
    }()

    private static func disc(_ radius: Double) -> [Point] {
        // A point of a circle for each tenth of a radian, from its sine and cosine by addition.
        var (points, direction): ([Point], Point) = ([], (1, 0))
        for _ in 0..<63 {
            points.append((64 + radius * direction.x, 62 + radius * direction.y))
            direction = (
                direction.x * 0.995004165 - direction.y * 0.099833417,
                direction.y * 0.995004165 + direction.x * 0.099833417
            )
        }
        return points
    }

    /// Draws a line through points.
    private mutating func stroke(_ points: [Point], _ width: Double) {
        for (a, b) in zip(points, points.dropFirst()) {
            let (x, y) = (b.x - a.x, b.y - a.y)
            let share = width / 2 / max((x * x + y * y).squareRoot(), 1e-9)
            let (dx, dy) = (x * share, y * share)
            fill([(a.x - dy, a.y + dx), (a.x + dy, a.y - dx), (b.x + dy, b.y - dx), (b.x - dy, b.y + dx)], Self.lead)
        }
    }

    /// Fills a polygon, row by row; with `onlyInside`, only where something was drawn before.
    private mutating func fill(_ points: [Point], _ color: UInt32, onlyInside: Bool = false) {
        for row in 0..<Self.width {
            let y = (Double(row) + 0.5) / Self.scale
            var crossings: [Double] = []
            for index in points.indices {
                let (a, b) = (points[index], points[index + 1 == points.count ? 0 : index + 1])
                if (a.y > y) != (b.y > y) { crossings.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) }
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let first = max(0, Int((crossings[pair] * Self.scale).rounded()))
                let last = min(Self.width, Int((crossings[pair + 1] * Self.scale).rounded()))
                guard first < last else { continue }
                for place in row * Self.width + first..<row * Self.width + last where !onlyInside || places[place] != 0
                {
                    places[place] = color
                }
            }
        }
    }

    /// The mean of each pixel's samples.
    private var reduced: [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.side * Self.side * 4)
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                var (red, green, blue, count) = (0, 0, 0, 0)
                for part in 0..<Self.detail * Self.detail {
                    let (row, column) = part.quotientAndRemainder(dividingBy: Self.detail)
                    let color = places[(y * Self.detail + row) * Self.width + x * Self.detail + column]
                    guard color != 0 else { continue }
                    red += Int(color >> 16 & 255)
                    green += Int(color >> 8 & 255)
                    blue += Int(color & 255)
                    count += 1
                }
                let divisor = max(count, 1)
                let alpha = count * 255 / (Self.detail * Self.detail)
                pixels += [red / divisor, green / divisor, blue / divisor, alpha].map { UInt8($0) }
            }
        }
        return pixels
    }
}

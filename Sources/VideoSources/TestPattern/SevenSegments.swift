import MediaIO

/// Draws seven-segment digits from left to right, as rectangles.
///
/// A segment has pointed ends, as those of a display have; so a zero is not taken for the box of a missing character.
struct SevenSegments {
    /// The left edge of the next character; `y` is the upper edge of all.
    var x: Int
    let y: Int
    /// The distance from one character to the next.
    let width: Int
    let height: Int

    /// The segments of 0 to 9; bit 0 is the top one, then clockwise, bit 6 is the middle one.
    private static let shapes: [UInt8] = [0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F]

    /// Draws the last `digits` digits of `number`, which must not be negative.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - digits: how many digits it has, with zeros in front.
    ///   - fill: fills a rectangle of a segment that is lit, or is not.
    mutating func draw(_ number: Int, digits: Int, _ fill: (_ area: Rectangle, _ isLit: Bool) -> Void) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        for _ in 0..<digits {
            drawDigit(Self.shapes[number / divisor % 10], fill)
            divisor /= 10
            x += width
        }
    }

    /// Draws a number without zeros in front: its last 12 digits at most.
    mutating func draw(_ number: Int, _ fill: (_ area: Rectangle, _ isLit: Bool) -> Void) {
        var (digits, rest) = (1, number / 10)
        while rest > 0, digits < 12 { (digits, rest) = (digits + 1, rest / 10) }
        draw(number, digits: digits, fill)
    }

    /// Draws two dots.
    mutating func drawColon(_ fill: (_ area: Rectangle, _ isLit: Bool) -> Void) {
        drawDot(y + height * 3 / 9, fill)
        drawDot(y + height * 6 / 9, fill)
        x += width
    }

    /// Draws a dot at the bottom.
    mutating func drawPoint(_ fill: (_ area: Rectangle, _ isLit: Bool) -> Void) {
        drawDot(y + height - stroke, fill)
        x += width
    }

    private var stroke: Int { max(1, min(width / 5, height / 8)) }

    private func drawDot(_ top: Int, _ fill: (Rectangle, Bool) -> Void) {
        fill(Rectangle(x: x + (width - stroke) / 2, y: top, width: stroke, height: stroke), true)
    }

    private func drawDigit(_ shape: UInt8, _ fill: (Rectangle, Bool) -> Void) {
        // The segments meet at six points, in the middle of their strokes; a fifth of the width is between two digits.
        let half = stroke / 2
        let (left, right) = (x + width / 10 + half, x + width - width / 10 - stroke + half)
        let (top, middle, bottom) = (y + half, y + (height - stroke) / 2 + half, y + height - stroke + half)
        for bar in 0..<7 {
            let isLit = shape >> UInt8(bar) & 1 == 1
            switch bar {
            case 0: drawLying(left, right, top) { fill($0, isLit) }
            case 3: drawLying(left, right, bottom) { fill($0, isLit) }
            case 6: drawLying(left, right, middle) { fill($0, isLit) }
            case 1, 5: drawStanding(bar == 1 ? right : left, top, middle) { fill($0, isLit) }
            default: drawStanding(bar == 2 ? right : left, middle, bottom) { fill($0, isLit) }
            }
        }
    }

    /// Half of the gap between two segments, which is a quarter of a stroke.
    private var gap: Int { stroke / 8 }

    /// A segment from left to right, row by row: each row further from its middle is a pixel shorter at both ends.
    private func drawLying(_ left: Int, _ right: Int, _ middle: Int, _ fill: (Rectangle) -> Void) {
        for row in 0..<stroke {
            let inset = gap + abs(row - stroke / 2)
            let length = right - left - 2 * inset
            guard length > 0 else { continue }
            fill(Rectangle(x: left + inset, y: middle - stroke / 2 + row, width: length, height: 1))
        }
    }

    /// A segment from top to bottom: two points and what is between them.
    private func drawStanding(_ middle: Int, _ top: Int, _ bottom: Int, _ fill: (Rectangle) -> Void) {
        let (first, last, half) = (top + gap, bottom - gap, stroke / 2)
        guard last - first > 2 * half else { return }
        for step in 0..<half {
            let area = Rectangle(x: middle - step, y: first + step, width: 2 * step + 1, height: 1)
            fill(area)
            fill(Rectangle(x: area.x, y: last - 1 - step, width: area.width, height: 1))
        }
        fill(Rectangle(x: middle - half, y: first + half, width: stroke, height: last - first - 2 * half))
    }
}

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
        // The segments meet at six points, in the middle of their strokes. A fifth of the width, but at least a pixel,
        // is between two digits.
        let (half, margin) = (Double(stroke) / 2, width / 10)
        let left = Double(x + margin) + half
        let right = Double(x + width - (margin == 0 ? 1 : margin)) - half
        let (top, bottom) = (Double(y) + half, Double(y + height) - half)
        let middle = Double(y + (height - stroke) / 2) + half
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

    /// How far a segment stays away from the point where it meets others: two ends, cut at 45°, are then a quarter of a
    /// stroke apart.
    private var gap: Double { Double(stroke) / 8 * 2.0.squareRoot() }

    /// The pixels whose centres are in a range.
    private func pixels(_ from: Double, _ to: Double) -> (first: Int, count: Int) {
        let first = Int((from - 0.5).rounded(.up))
        return (first, Int((to - 0.5).rounded(.down)) - first + 1)
    }

    /// A segment from left to right, row by row: the further a row is from the middle, the shorter it is.
    private func drawLying(_ left: Double, _ right: Double, _ middle: Double, _ fill: (Rectangle) -> Void) {
        let upper = Int(middle - Double(stroke) / 2)
        // A stroke of one pixel has no room for points and gaps: the corners belong to the lying segments.
        let gap = stroke == 1 ? 0 : gap
        for row in upper..<upper + stroke {
            let inset = gap + abs(Double(row) + 0.5 - middle)
            let (first, count) = pixels(left + inset, right - inset)
            if count > 0 { fill(Rectangle(x: first, y: row, width: count, height: 1)) }
        }
    }

    /// A segment from top to bottom: two points, row by row, and what is between them.
    private func drawStanding(_ middle: Double, _ top: Double, _ bottom: Double, _ fill: (Rectangle) -> Void) {
        let (first, count) = pixels(top + gap, bottom - gap)
        var (upper, lower) = (first, first + count)
        // How far the centre of the upper row is from the end of the segment.
        var depth = Double(upper) + 0.5 - top - gap
        while upper < lower, depth < Double(stroke - 1) / 2 {
            let (first, count) = pixels(middle - depth, middle + depth)
            if count > 0 {
                fill(Rectangle(x: first, y: upper, width: count, height: 1))
                fill(Rectangle(x: first, y: lower - 1, width: count, height: 1))
            }
            (upper, lower, depth) = (upper + 1, lower - 1, depth + 1)
        }
        guard upper < lower else { return }
        fill(Rectangle(x: Int(middle - Double(stroke) / 2), y: upper, width: stroke, height: lower - upper))
    }
}

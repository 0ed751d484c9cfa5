import MediaIO

/// Draws seven-segment digits from left to right, as rectangles.
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
    mutating func draw(_ number: Int, digits: Int, _ fill: (Rectangle) -> Void) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        for _ in 0..<digits {
            drawDigit(Self.shapes[number / divisor % 10], fill)
            divisor /= 10
            x += width
        }
    }

    /// Draws two dots.
    mutating func drawColon(_ fill: (Rectangle) -> Void) {
        drawDot(y + height * 3 / 9, fill)
        drawDot(y + height * 6 / 9, fill)
        x += width
    }

    /// Draws a dot at the bottom.
    mutating func drawPoint(_ fill: (Rectangle) -> Void) {
        drawDot(y + height - stroke, fill)
        x += width
    }

    private var stroke: Int { max(1, min(width / 5, height / 8)) }

    private func drawDot(_ top: Int, _ fill: (Rectangle) -> Void) {
        fill(Rectangle(x: x + (width - stroke) / 2, y: top, width: stroke, height: stroke))
    }

    private func drawDigit(_ shape: UInt8, _ fill: (Rectangle) -> Void) {
        let (stroke, half) = (stroke, (height - stroke) / 2)
        // A fifth of the width stays free between two digits.
        let (left, right) = (x + width / 10, x + width - width / 10 - stroke)
        for bar in 0..<7 where shape >> UInt8(bar) & 1 == 1 {
            let isLying = bar % 3 == 0
            let column = bar == 1 || bar == 2 ? right : left
            let top = bar == 0 || bar == 1 || bar == 5 ? y : bar == 3 ? y + height - stroke : y + half
            fill(
                Rectangle(
                    x: column, y: top, width: isLying ? right - left + stroke : stroke,
                    height: isLying ? stroke : half + stroke))
        }
    }
}

import MediaIO

/// What several layouts compute alike.
extension Rectangle {
    /// No pixels: the rectangle of a tile that is not visible.
    static let hidden = Rectangle(x: 0, y: 0, width: 0, height: 0)

    /// Whether no pixel lies inside.
    var isEmpty: Bool { width <= 0 || height <= 0 }

    /// A rectangle that is relative to the corner of another one, in the coordinates of that one.
    func from(_ other: Rectangle) -> Rectangle {
        // A custom layout may return any numbers.
        isEmpty ? self : Rectangle(x: other.x &+ x, y: other.y &+ y, width: width, height: height)
    }

    /// The smallest rectangle that contains both; an empty one counts as nothing.
    func union(_ other: Rectangle) -> Rectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let (left, top) = (min(x, other.x), min(y, other.y))
        let (right, bottom) = (max(x + width, other.x + other.width), max(y + height, other.y + other.height))
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Divides it into a large part and the rest at one side, with a gap between them.
    ///
    /// - Parameters:
    ///   - share: the part of the width or height that the rest takes, without the gap.
    ///   - side: the side of the rest.
    ///   - gap: the gap between both in pixels.
    /// - Returns: both parts; `nil` if there is not a pixel for each.
    func split(_ share: Double, at side: LayoutSide, gap: Int) -> (large: Rectangle, rest: Rectangle)? {
        let room = (side.isHorizontal ? width : height) - gap
        guard room >= 2, width > 0, height > 0 else { return nil }
        let rest = min(room - 1, max(1, Int((Double(room) * share).rounded())))
        let large = room - rest
        switch side {
        case .left:
            return (
                Rectangle(x: x + rest + gap, y: y, width: large, height: height),
                Rectangle(x: x, y: y, width: rest, height: height)
            )
        case .right:
            return (
                Rectangle(x: x, y: y, width: large, height: height),
                Rectangle(x: x + large + gap, y: y, width: rest, height: height)
            )
        case .top:
            return (
                Rectangle(x: x, y: y + rest + gap, width: width, height: large),
                Rectangle(x: x, y: y, width: width, height: rest)
            )
        case .bottom:
            return (
                Rectangle(x: x, y: y, width: width, height: large),
                Rectangle(x: x, y: y + large + gap, width: width, height: rest)
            )
        }
    }
}

/// A side of a rectangle.
enum LayoutSide {
    case left, right, top, bottom

    var isHorizontal: Bool { self == .left || self == .right }
}

/// Limits that keep the arithmetic of layouts from overflowing.
enum LayoutLimits {
    /// The largest length, gap, and number of rows or columns: the product of two of them is a number.
    static let length = 1 << 30
    /// The message for gaps and margins that are not allowed.
    static let rule = "The gap and the margin of a layout must be at least 0."

    /// The nearest value in a range; `standard` for one that is no number.
    static func clamp(_ value: Double, _ range: ClosedRange<Double>, _ standard: Double) -> Double {
        value.isNaN ? standard : min(max(value, range.lowerBound), range.upperBound)
    }

    /// An aspect ratio that can be computed with, whatever a caller passes.
    static func ratio(_ ratio: Double) -> Double { clamp(ratio, 1e-3...1e3, 1) }

    /// The index of the tile that stands out: the first or the last one if there is none at `index`.
    static func index(_ index: Int, of count: Int) -> Int { max(0, min(index, count - 1)) }
}

extension VideoSize {
    /// The pixels inside a margin; none if it leaves none.
    func area(inside margin: Int) -> Rectangle {
        let edge = min(margin, LayoutLimits.length)
        func inner(_ length: Int) -> Int { max(0, max(0, min(length, LayoutLimits.length)) - 2 * edge) }
        return Rectangle(x: edge, y: edge, width: inner(width), height: inner(height))
    }
}

public import MediaIO
import VitrailSupport

/// Fills the wall with one tile, and shows the others small over it, in rows from a corner.
public struct PictureInPictureLayout: WallLayout, Hashable {
    /// The corner of the wall at which the small tiles begin.
    public enum Corner: String, Hashable, Sendable, CaseIterable {
        /// The upper left corner.
        case topLeft = "top-left"
        /// The upper right corner.
        case topRight = "top-right"
        /// The lower left corner.
        case bottomLeft = "bottom-left"
        /// The lower right corner.
        case bottomRight = "bottom-right"
    }

    /// The index of the large tile; one beyond the last tile counts as the last, a negative one as the first.
    public var index: Int
    /// The corner at which the small tiles begin.
    public var corner: Corner
    /// The height of the small tiles as a part of the wall's shorter side, 0.05…0.9; other values are clamped.
    public var share: Double { didSet { share = Self.clamped(share) } }
    /// The gap between two small tiles in pixels, at least 0.
    public var gap: Int { didSet { check() } }
    /// The margin between the small tiles and the edges of the wall in pixels, at least 0; the large tile has none.
    public var margin: Int { didSet { check() } }

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - index: the index of the large tile.
    ///   - corner: the corner at which the small tiles begin.
    ///   - share: the height of the small tiles as a part of the wall's shorter side, 0.05…0.9.
    ///   - gap: the gap between two small tiles in pixels, at least 0.
    ///   - margin: the margin between the small tiles and the edges of the wall in pixels, at least 0.
    public init(
        index: Int = 0, corner: Corner = .bottomRight, share: Double = 0.25, gap: Int = 0, margin: Int = 0
    ) {
        self.index = index
        self.corner = corner
        self.share = Self.clamped(share)
        self.gap = gap
        self.margin = margin
        check()
    }

    private func check() { require(gap >= 0 && margin >= 0, LayoutLimits.rule) }

    private static func clamped(_ share: Double) -> Double { LayoutLimits.clamp(share, 0.05...0.9, 0.25) }

    /// `nil`: any number of tiles.
    public var capacity: Int? { nil }

    /// The large tile first, so that the others are drawn over it.
    public func order(ofTiles count: Int) -> [Int] {
        let large = LayoutLimits.index(index, of: count)
        return (0..<count).map { $0 == 0 ? large : $0 <= large ? $0 - 1 : $0 }
    }

    /// The large tile, and the others with the widths of their pictures, in rows that begin at the corner.
    ///
    /// If they do not fit, they are smaller; if there is no room for them at all, they get empty rectangles.
    ///
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        guard !aspectRatios.isEmpty else { return [] }
        let whole = size.area(inside: 0)
        let large = LayoutLimits.index(index, of: aspectRatios.count)
        var others = aspectRatios
        others.remove(at: large)
        var rectangles = rectangles(others, in: size.area(inside: margin), whole)
        rectangles.insert(whole.isEmpty ? .hidden : whole, at: large)
        return rectangles
    }

    private func rectangles(_ ratios: [Double], in area: Rectangle, _ whole: Rectangle) -> [Rectangle] {
        guard !area.isEmpty else { return ratios.map { _ in .hidden } }
        let side = Double(min(whole.width, whole.height))
        let wanted = min(area.height, max(1, Int((side * share).rounded())))
        if let rows = rows(ratios, wanted, in: area) { return rows }
        // Bisection: the largest height at which they fit, or nearly so.
        var (low, high) = (0, wanted)
        var best: [Rectangle]?
        while high - low > 1 {
            let middle = (low + high) / 2
            if let rows = rows(ratios, middle, in: area) {
                (low, best) = (middle, rows)
            } else {
                high = middle
            }
        }
        return best ?? ratios.map { _ in .hidden }
    }

    /// The tiles with one height; `nil` if they do not fit.
    private func rows(_ ratios: [Double], _ height: Int, in area: Rectangle) -> [Rectangle]? {
        let gap = min(gap, LayoutLimits.length)
        // As distances from the corner.
        var (x, y) = (0, 0)
        var rectangles: [Rectangle] = []
        for ratio in ratios {
            let width = max(1, Int((Double(height) * LayoutLimits.ratio(ratio)).rounded()))
            // One that is wider than the wall has bars above and below.
            let fitting = min(width, area.width)
            if x > 0, fitting > area.width - x { (x, y) = (0, y + height + gap) }
            guard height <= area.height - y else { return nil }
            rectangles.append(place(x, y, fitting, height, in: area))
            x += fitting + gap
        }
        return rectangles
    }

    private func place(_ x: Int, _ y: Int, _ width: Int, _ height: Int, in area: Rectangle) -> Rectangle {
        let isRight = corner == .topRight || corner == .bottomRight
        let isBottom = corner == .bottomLeft || corner == .bottomRight
        return Rectangle(
            x: area.x + (isRight ? area.width - x - width : x),
            y: area.y + (isBottom ? area.height - y - height : y), width: width, height: height)
    }
}

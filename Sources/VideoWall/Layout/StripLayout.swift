public import MediaIO
import VitrailSupport

/// Shows one tile large, and all others in a strip at one edge of the wall.
public struct StripLayout: WallLayout, Hashable {
    /// The edge of the wall at which the strip is.
    public enum Edge: String, Hashable, Sendable, CaseIterable {
        /// The right edge of a landscape area, otherwise the lower one.
        case automatic = "auto"
        /// The left edge.
        case left
        /// The right edge.
        case right
        /// The upper edge.
        case top
        /// The lower edge.
        case bottom
    }

    /// The index of the large tile; one beyond the last tile counts as the last, a negative one as the first.
    public var index: Int
    /// The edge at which the strip is.
    public var edge: Edge
    /// The part of the wall's width or height that the strip takes, 0.05…0.8; other values are clamped.
    public var share: Double { didSet { share = Self.clamped(share) } }
    /// The gap between two tiles in pixels, at least 0.
    public var gap: Int { didSet { check() } }
    /// The margin around the whole wall in pixels, at least 0.
    public var margin: Int { didSet { check() } }

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - index: the index of the large tile.
    ///   - edge: the edge at which the strip is.
    ///   - share: the part of the wall's width or height that the strip takes, 0.05…0.8.
    ///   - gap: the gap between two tiles in pixels, at least 0.
    ///   - margin: the margin around the whole wall in pixels, at least 0.
    public init(index: Int = 0, edge: Edge = .automatic, share: Double = 0.2, gap: Int = 0, margin: Int = 0) {
        self.index = index
        self.edge = edge
        self.share = Self.clamped(share)
        self.gap = gap
        self.margin = margin
        check()
    }

    private func check() { require(gap >= 0 && margin >= 0, LayoutLimits.rule) }

    private static func clamped(_ share: Double) -> Double { LayoutLimits.clamp(share, 0.05...0.8, 0.2) }

    /// `nil`: any number of tiles.
    public var capacity: Int? { nil }

    /// The large tile beside the strip, and the others in reading order in the strip.
    ///
    /// The strip has several columns or rows where its pictures would otherwise be less than a quarter as large as its
    /// width allows. If there is no room for the others, they get empty rectangles.
    ///
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        guard !aspectRatios.isEmpty else { return [] }
        let area = size.area(inside: margin)
        let large = LayoutLimits.index(index, of: aspectRatios.count)
        var others = aspectRatios
        others.remove(at: large)
        let side = side(in: area)
        guard !others.isEmpty, let parts = area.split(share, at: side, gap: min(gap, LayoutLimits.length)) else {
            var alone = others.map { _ in Rectangle.hidden }
            alone.insert(area.isEmpty ? .hidden : area, at: large)
            return alone
        }
        let columns = columns(of: others, in: parts.rest, isVertical: side.isHorizontal)
        var rectangles = GridLayout(columns: columns, gap: gap).rectangles(others, in: parts.rest)
        rectangles.insert(parts.large, at: large)
        return rectangles
    }

    private func side(in area: Rectangle) -> LayoutSide {
        switch edge {
        case .automatic: area.width >= area.height ? .right : .bottom
        case .left: .left
        case .right: .right
        case .top: .top
        case .bottom: .bottom
        }
    }

    /// The number of columns of the strip; those of a horizontal one follow from its number of rows.
    private func columns(of others: [Double], in strip: Rectangle, isVertical: Bool) -> Int {
        let (count, gap) = (others.count, min(gap, LayoutLimits.length))
        let mean = others.reduce(0) { $0 + LayoutLimits.ratio($1) } / Double(count)
        // Of a horizontal strip as if it were turned by a quarter.
        let (thickness, length) = isVertical ? (strip.width, strip.height) : (strip.height, strip.width)
        let ratio = isVertical ? mean : 1 / mean
        var best = (lines: 1, across: -1.0)
        for lines in 1...count {
            let perLine = (count + lines - 1) / lines
            let across = Double(thickness - gap * (lines - 1)) / Double(lines)
            let along = Double(length - gap * (perLine - 1)) / Double(perLine)
            // More lines are thinner still.
            guard across >= 1 else { break }
            // How large a picture is across the strip.
            let picture = min(across, along * ratio)
            if picture > best.across * 1.001 { best = (lines, picture) }
        }
        return isVertical ? best.lines : (count + best.lines - 1) / best.lines
    }
}

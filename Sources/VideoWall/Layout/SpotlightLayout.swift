public import MediaIO
import VitrailSupport

/// Shows one tile large and the others around it: in a landscape area at its right and below it, otherwise below it.
///
/// With six pictures of the wall's aspect ratio, the large one has four ninths of the wall, and each other one a ninth.
public struct SpotlightLayout: WallLayout, Hashable {
    /// The index of the large tile; one beyond the last tile counts as the last, a negative one as the first.
    public var index: Int
    /// The part of the wall's longer side that the large tile takes, 0.2…0.9; other values are clamped.
    public var share: Double { didSet { share = Self.clamped(share) } }
    /// The gap between two tiles in pixels, at least 0.
    public var gap: Int { didSet { check() } }
    /// The margin around the whole wall in pixels, at least 0.
    public var margin: Int { didSet { check() } }

    /// Creates a layout.
    ///
    /// - Parameters:
    ///   - index: the index of the large tile.
    ///   - share: the part of the wall's longer side that the large tile takes, 0.2…0.9.
    ///   - gap: the gap between two tiles in pixels, at least 0.
    ///   - margin: the margin around the whole wall in pixels, at least 0.
    public init(index: Int = 0, share: Double = 2.0 / 3, gap: Int = 0, margin: Int = 0) {
        self.index = index
        self.share = Self.clamped(share)
        self.gap = gap
        self.margin = margin
        check()
    }

    private func check() { require(gap >= 0 && margin >= 0, LayoutLimits.rule) }

    private static func clamped(_ share: Double) -> Double { LayoutLimits.clamp(share, 0.2...0.9, 2.0 / 3) }

    /// `nil`: any number of tiles.
    public var capacity: Int? { nil }

    /// The large tile in the upper left corner, and the others in reading order: at its right, then below it.
    ///
    /// How many are at its right is chosen so that little of the wall is wasted. If there is no room for the others, they
    /// get empty rectangles.
    ///
    /// - Parameters:
    ///   - aspectRatios: the aspect ratio of each frame as shown, one per tile.
    ///   - size: the pixels to divide.
    /// - Returns: one rectangle per tile.
    public func rectangles(aspectRatios: [Double], in size: VideoSize) -> [Rectangle] {
        guard !aspectRatios.isEmpty else { return [] }
        let large = LayoutLimits.index(index, of: aspectRatios.count)
        var others = aspectRatios
        let ratio = others.remove(at: large)
        let places = places(of: others, large: ratio, in: size.area(inside: margin))
        var rectangles = zip([places.right, places.below], [others[..<places.count], others[places.count...]])
            .flatMap { GridLayout(gap: gap).rectangles(Array($1), in: $0) }
        rectangles.insert(places.large.isEmpty ? .hidden : places.large, at: large)
        return rectangles
    }

    /// The large tile, the areas for the others, and how many of them are at its right.
    private struct Places {
        var large: Rectangle
        var right = Rectangle.hidden
        var below = Rectangle.hidden
        var count = 0
    }

    private func places(of others: [Double], large ratio: Double, in area: Rectangle) -> Places {
        let gap = min(gap, LayoutLimits.length)
        let isLandscape = area.width >= area.height
        guard !others.isEmpty, let parts = area.split(1 - share, at: isLandscape ? .right : .bottom, gap: gap) else {
            return Places(large: area)
        }
        guard isLandscape else { return Places(large: parts.large, below: parts.rest) }
        // The number at its right is chosen for their mean: for each of them, it would take the cube of their number.
        let mean = others.reduce(0) { $0 + LayoutLimits.ratio($1) } / Double(others.count)
        var best = Places(large: parts.large, right: parts.rest, count: others.count)
        var least = smallness(of: best, others.count, mean, large: ratio)
        guard let corner = parts.large.split(1 - share, at: .bottom, gap: gap) else { return best }
        for count in (1..<max(1, others.count)).reversed() {
            let places = Places(large: corner.large, right: parts.rest, below: corner.rest, count: count)
            let smallness = smallness(of: places, others.count, mean, large: ratio)
            if smallness < least * 0.999 { (best, least) = (places, smallness) }
        }
        return best
    }

    /// How small the pictures are: the sum of the reciprocals of their mean sides; infinite if one has no room.
    ///
    /// With the sum of their areas or sides, a few large ones would outweigh many tiny ones.
    private func smallness(of places: Places, _ count: Int, _ mean: Double, large ratio: Double) -> Double {
        smallness(1, LayoutLimits.ratio(ratio), in: places.large) + smallness(places.count, mean, in: places.right)
            + smallness(count - places.count, mean, in: places.below)
    }

    /// The same of some pictures in the best grid in an area.
    private func smallness(_ count: Int, _ ratio: Double, in area: Rectangle) -> Double {
        guard count > 0 else { return 0 }
        var side = 0.0
        for columns in 1...count {
            let rows = (count + columns - 1) / columns
            let width = Double(area.width - min(gap, LayoutLimits.length) * (columns - 1)) / Double(columns)
            let height = Double(area.height - min(gap, LayoutLimits.length) * (rows - 1)) / Double(rows)
            guard width >= 1, height >= 1 else { continue }
            side = max(side, (min(width, height * ratio) * min(height, width / ratio)).squareRoot())
        }
        return Double(count) / side
    }
}

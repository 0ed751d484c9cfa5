import VideoWall

/// How a wall is divided: the kind of layout, and what can be set in it.
struct LayoutSettings: Hashable, Sendable {
    /// The kinds of layouts.
    enum Kind: String, CaseIterable, Sendable {
        /// The grid in which the pictures cover the most of the wall, or one of ``LayoutSettings/rows`` and
        /// ``LayoutSettings/columns``.
        case grid
        /// The first tile large, the others around it.
        case spotlight
        /// The first tile large, the others in a strip at one edge.
        case strip
        /// The first tile fills the wall, the others are small in a corner of it.
        case pip
        /// Each tile where its input says.
        case free

        /// What it is, for help.
        var summary: String {
            switch self {
            case .grid: "tiles of equal size"
            case .spotlight: "the first tile large, the others around it"
            case .strip: "the first tile large, the others in a strip at one edge"
            case .pip: "the first tile fills the wall, the others lie small in a corner"
            case .free: "each tile where its place says"
            }
        }
    }

    /// The kind.
    var kind = Kind.grid
    /// The number of rows of a grid, at least 1; `nil` for automatic.
    var rows: Int?
    /// The number of columns of a grid, at least 1; `nil` for automatic.
    var columns: Int?
    /// The pixels between two tiles.
    var gap = 2
    /// The pixels around all tiles.
    var margin = 0
    /// The part of the wall that the large tile (spotlight), the strip, or a small picture (pip) takes; `nil` for the
    /// layout's own.
    var share: Double?
    /// The relative widths of a grid's columns; missing ones are 1.
    var columnShares: [Double] = []
    /// The relative heights of a grid's rows; missing ones are 1.
    var rowShares: [Double] = []
    /// Where the strip is.
    var edge = StripLayout.Edge.automatic
    /// Where the small pictures are: by default where they do not cover the name and the state of the large one.
    var corner = PictureInPictureLayout.Corner.topRight

    /// Makes the layout.
    ///
    /// - Parameter places: the part of the wall for each input in a free layout; those without one are put in the
    ///   middle, each a little further down than the last.
    /// - Returns: the layout, with the settings that its kind has.
    func makeLayout(places: [FreeLayout.Place?]) -> any WallLayout {
        switch kind {
        case .grid:
            return GridLayout(
                rows: rows, columns: columns, gap: gap, margin: margin, columnShares: columnShares,
                rowShares: rowShares)
        case .spotlight: return SpotlightLayout(share: share ?? SpotlightLayout().share, gap: gap, margin: margin)
        case .strip:
            return StripLayout(edge: edge, share: share ?? StripLayout().share, gap: gap, margin: margin)
        case .pip:
            return PictureInPictureLayout(
                corner: corner, share: share ?? PictureInPictureLayout().share, gap: gap, margin: margin)
        case .free:
            var loose = 0.0
            return FreeLayout(
                places.map { place in
                    if let place { return place }
                    loose += 1
                    let shift = (loose.remainder(dividingBy: 20) - 10) * 0.02
                    return FreeLayout.Place(x: 0.375 + shift, y: 0.375 + shift, width: 0.25, height: 0.25)
                })
        }
    }
}

public import MediaIO

/// How a picture fills a tile of another shape.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// The whole picture, with bars at two sides.
    case fit
    /// The whole tile, with two sides of the picture cut off.
    case fill
    /// The whole picture in the whole tile, out of shape.
    case stretch

    /// Where a picture goes.
    public struct Placement: Hashable, Sendable {
        /// The pixels of the tile that the picture covers.
        public var destination: Rectangle
        /// The part of the shown width that is visible, 0 to 1, centred.
        public var visibleWidth: Double
        /// The part of the shown height that is visible, 0 to 1, centred.
        public var visibleHeight: Double

        /// Creates a placement.
        public init(destination: Rectangle, visibleWidth: Double = 1, visibleHeight: Double = 1) {
            self.destination = destination
            self.visibleWidth = visibleWidth
            self.visibleHeight = visibleHeight
        }
    }

    /// Places a picture in a tile.
    ///
    /// - Parameters:
    ///   - aspectRatio: width to height of the picture as shown, above 0.
    ///   - tile: the pixels to fill, at least 1 × 1.
    /// - Returns: what of the picture goes where.
    public func place(aspectRatio: Double, in tile: Rectangle) -> Placement {
        var placement = Placement(destination: tile)
        let (width, height) = (Double(tile.width), Double(tile.height))
        switch self {
        case .stretch: break
        case .fit:
            // Rounded to whole pixels, so that edges stay sharp; never below one pixel.
            placement.destination.width = min(tile.width, max(1, Int((height * aspectRatio).rounded())))
            placement.destination.height = min(tile.height, max(1, Int((width / aspectRatio).rounded())))
            placement.destination.x += (tile.width - placement.destination.width) / 2
            placement.destination.y += (tile.height - placement.destination.height) / 2
        case .fill:
            placement.visibleWidth = min(1, width / (height * aspectRatio))
            placement.visibleHeight = min(1, height * aspectRatio / width)
        }
        return placement
    }
}

public import MediaIO

/// How a frame fills a tile with another aspect ratio.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// The whole frame, with bars at two sides.
    case fit
    /// The whole tile, with two sides of the frame cropped.
    case fill
    /// The whole frame in the whole tile, distorted.
    case stretch

    /// The placement of a frame in a tile.
    public struct Placement: Hashable, Sendable {
        /// The pixels of the tile that the frame covers.
        public var destination: Rectangle
        /// The visible part of the width, 0 to 1, centred.
        public var visibleWidth: Double
        /// The visible part of the height, 0 to 1, centred.
        public var visibleHeight: Double

        /// Creates a placement.
        public init(destination: Rectangle, visibleWidth: Double = 1, visibleHeight: Double = 1) {
            self.destination = destination
            self.visibleWidth = visibleWidth
            self.visibleHeight = visibleHeight
        }
    }

    /// Places a frame in a tile.
    ///
    /// - Parameters:
    ///   - aspectRatio: the aspect ratio of the frame as shown, above 0.
    ///   - tile: the pixels to fill, at least 1 × 1.
    /// - Returns: the pixels to cover, and the visible part of the frame.
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

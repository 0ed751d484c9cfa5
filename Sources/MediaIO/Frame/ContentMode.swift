import VitrailSupport

/// How a frame fills a rectangle with another aspect ratio.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// The whole frame, with bars at two sides.
    case fit
    /// The whole rectangle, with two sides of the frame cropped.
    case fill
    /// The whole frame in the whole rectangle, distorted.
    case stretch

    /// The placement of a frame in a rectangle.
    public struct Placement: Hashable, Sendable {
        /// The pixels of the rectangle that the frame covers.
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

    /// Places a frame in a rectangle.
    ///
    /// - Parameters:
    ///   - aspectRatio: the aspect ratio of the frame as shown, above 0 and finite.
    ///   - rectangle: the pixels to fill, at least 1 × 1.
    /// - Returns: the pixels to cover, and the visible part of the frame.
    public func place(aspectRatio: Double, in rectangle: Rectangle) -> Placement {
        require(aspectRatio > 0 && aspectRatio.isFinite, "An aspect ratio is a width divided by a height, above 0.")
        var placement = Placement(destination: rectangle)
        let (width, height) = (Double(rectangle.width), Double(rectangle.height))
        switch self {
        case .stretch: break
        case .fit:
            // Rounded to whole pixels, so that edges stay sharp; never below one pixel.
            placement.destination.width = Int(min(width, max(1, (height * aspectRatio).rounded())))
            placement.destination.height = Int(min(height, max(1, (width / aspectRatio).rounded())))
            placement.destination.x += (rectangle.width - placement.destination.width) / 2
            placement.destination.y += (rectangle.height - placement.destination.height) / 2
        case .fill:
            placement.visibleWidth = min(1, width / (height * aspectRatio))
            placement.visibleHeight = min(1, height * aspectRatio / width)
        }
        return placement
    }
}

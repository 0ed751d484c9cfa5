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
        /// The visible part of the width, 0 to 1.
        public var visibleWidth: Double
        /// The visible part of the height, 0 to 1.
        public var visibleHeight: Double
        /// The left edge of the visible part, 0 to 1 - ``visibleWidth``.
        public var visibleX: Double
        /// The upper edge of the visible part, 0 to 1 - ``visibleHeight``.
        public var visibleY: Double

        /// Creates a placement of the middle of a frame.
        public init(destination: Rectangle, visibleWidth: Double = 1, visibleHeight: Double = 1) {
            self.destination = destination
            self.visibleWidth = visibleWidth
            self.visibleHeight = visibleHeight
            (visibleX, visibleY) = ((1 - visibleWidth) / 2, (1 - visibleHeight) / 2)
        }

        /// The same frame enlarged in the same rectangle.
        ///
        /// Bars at its sides become narrower, before any of it is cropped.
        ///
        /// - Parameters:
        ///   - scale: how many times its sides are as long, at least 1.
        ///   - x: what is in the middle of the rectangle, if possible: 0 is the left edge of the frame as shown, 1 its
        ///     right edge.
        ///   - y: the same downwards.
        ///   - rectangle: the rectangle that the frame was placed in.
        /// - Returns: the pixels to cover, and the visible part of the frame.
        public func enlarged(_ scale: Double, x: Double, y: Double, in rectangle: Rectangle) -> Placement {
            guard scale > 1, scale.isFinite else { return self }
            var placement = self
            (placement.destination.x, placement.destination.width, placement.visibleX, placement.visibleWidth) =
                Self.enlarged(
                    Double(destination.width) / visibleWidth * scale, x, rectangle.x, rectangle.width)
            (placement.destination.y, placement.destination.height, placement.visibleY, placement.visibleHeight) =
                Self.enlarged(
                    Double(destination.height) / visibleHeight * scale, y, rectangle.y, rectangle.height)
            return placement
        }

        /// One side: `length` is that of the whole frame in pixels.
        private static func enlarged(
            _ length: Double, _ center: Double, _ start: Int, _ room: Int
        ) -> (start: Int, length: Int, visible: Double, part: Double) {
            guard length > Double(room) else {
                let pixels = max(1, Int(length.rounded()))
                return (start + (room - pixels) / 2, pixels, 0, 1)
            }
            let part = Double(room) / length
            // Not a number counts as the middle.
            let first = center.isNaN ? (1 - part) / 2 : min(max(center - part / 2, 0), 1 - part)
            return (start, room, first, part)
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
            placement = Placement(
                destination: rectangle, visibleWidth: min(1, width / (height * aspectRatio)),
                visibleHeight: min(1, height * aspectRatio / width))
        }
        return placement
    }
}

public import MediaIO

/// A coverage image over the wall, and its position: a label, a notice, statistics, or a mark of your own.
public struct WallOverlay: Equatable, Sendable {
    /// The image.
    public var image: CoverageImage
    /// The column of the image's upper left corner, in pixels of the scene, or of the tile in ``WallTile/overlays``.
    public var x: Int
    /// The row of the image's upper left corner, downwards, likewise.
    public var y: Int
    /// The colour and alpha of covered pixels: R, G and B of sRGB, and A, 0…1, not premultiplied.
    public var color: SIMD4<Float>
    /// The colour and alpha of the rectangle behind the image, likewise.
    public var background: SIMD4<Float>
    /// The number of pixels by which that rectangle exceeds the image on each side.
    public var margin: Int
    /// The size of a rectangle that has no image; `nil` for an overlay with one.
    private var filledSize: VideoSize?

    /// Creates an overlay, by default white without a background.
    public init(
        _ image: CoverageImage, x: Int, y: Int, color: SIMD4<Float> = SIMD4(1, 1, 1, 0.95),
        background: SIMD4<Float> = .zero, margin: Int = 0
    ) {
        self.image = image
        self.x = x
        self.y = y
        self.color = color
        self.background = background
        self.margin = margin
    }

    /// Creates a rectangle of one colour, without an image.
    public init(filling rectangle: Rectangle, with color: SIMD4<Float>) {
        self.init(Self.nothing, x: rectangle.x, y: rectangle.y, color: .zero, background: color)
        filledSize = VideoSize(width: rectangle.width, height: rectangle.height)
    }

    /// One pixel without coverage: the same for all rectangles, so that they are equal and share a texture.
    private static let nothing = CoverageImage([0], size: VideoSize(width: 1, height: 1), bytesPerRow: 1)

    /// Whether it has an image, and is not a rectangle that lies over a whole tile.
    package var hasImage: Bool { filledSize == nil }

    /// The pixels of the image.
    public var rectangle: Rectangle { Rectangle(x: x, y: y, width: image.size.width, height: image.size.height) }

    /// The pixels of the image and of the rectangle behind it.
    public var bounds: Rectangle {
        if let filledSize { return Rectangle(x: x, y: y, width: filledSize.width, height: filledSize.height) }
        return Rectangle(
            x: x - margin, y: y - margin, width: image.size.width + 2 * margin, height: image.size.height + 2 * margin)
    }

    /// The same overlay relative to the scene instead of a tile.
    func moved(to tile: Rectangle) -> WallOverlay {
        var overlay = self
        overlay.x += tile.x
        overlay.y += tile.y
        return overlay
    }

    /// Whether both are the same image at the same position with the same colours.
    public static func == (left: WallOverlay, right: WallOverlay) -> Bool {
        left.image === right.image && left.x == right.x && left.y == right.y && left.margin == right.margin
            && left.color == right.color && left.background == right.background && left.filledSize == right.filledSize
    }
}

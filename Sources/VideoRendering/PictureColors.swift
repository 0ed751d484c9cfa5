public import MediaIO

/// What the newest picture of a tile says of its colours.
public struct PictureColors: Hashable, Sendable {
    /// The layout of its samples.
    public let format: PixelFormat
    /// What the samples mean.
    public let colorSpace: ColorSpace
    /// Where chroma samples lie.
    public let chromaLocation: ChromaLocation

    /// Creates a description.
    public init(format: PixelFormat, colorSpace: ColorSpace, chromaLocation: ChromaLocation) {
        self.format = format
        self.colorSpace = colorSpace
        self.chromaLocation = chromaLocation
    }
}

extension StreamTile {
    /// What the newest picture says of its colours, or `nil` until there is one; ``colorOverride`` is not in it.
    public var pictureColors: PictureColors? {
        picture.map {
            PictureColors(
                format: $0.planes.format, colorSpace: $0.colorSpace, chromaLocation: $0.attributes.chromaLocation)
        }
    }
}

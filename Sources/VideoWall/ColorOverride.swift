public import MediaIO

/// What is taken of a picture's colours instead of what its frame says; for pictures whose tags are wrong.
public struct ColorOverride: Hashable, Sendable {
    /// How the components are made from R, G and B, or `nil` for what the frame says.
    public var matrix: ColorSpace.Matrix?
    /// Which code values stand for black and white, or `nil` for what the frame says.
    public var range: ColorSpace.Range?
    /// Where chroma samples lie, or `nil` for what the frame says.
    public var chromaLocation: ChromaLocation?
    /// Whether Cb and Cr are taken for each other.
    public var swapsChroma: Bool

    /// Creates an override; what is left out stays as the frame says.
    public init(
        matrix: ColorSpace.Matrix? = nil, range: ColorSpace.Range? = nil, chromaLocation: ChromaLocation? = nil,
        swapsChroma: Bool = false
    ) {
        self.matrix = matrix
        self.range = range
        self.chromaLocation = chromaLocation
        self.swapsChroma = swapsChroma
    }
}

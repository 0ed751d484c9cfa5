public import MediaIO

/// Overrides of a frame's colours, for streams with wrong tags.
public struct ColorOverride: Hashable, Sendable {
    /// How the components are made from R, G and B, or `nil` for the frame's own.
    public var matrix: ColorSpace.Matrix?
    /// The code values of black and white, or `nil` for the frame's own.
    public var range: ColorSpace.Range?
    /// The position of chroma samples, or `nil` for the frame's own.
    public var chromaLocation: ChromaLocation?
    /// Whether Cb and Cr are swapped.
    public var swapsChroma: Bool

    /// Creates an override; the default overrides nothing.
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

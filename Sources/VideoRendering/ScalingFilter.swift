/// How a picture is read where its pixels and the tile's do not coincide.
public enum ScalingFilter: String, CaseIterable, Hashable, Sendable {
    /// The nearest sample, of luma and of chroma: exact, and blocky when enlarged.
    case nearest
    /// Four samples weighted by distance.
    case bilinear
}

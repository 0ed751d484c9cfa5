/// The filter that scales frames.
///
/// **Cost:** a pixel of the tile needs one access to each plane with ``nearest`` and ``bilinear``, 16 with the cubic
/// kernels, 36 with ``lanczos``; if the frame is reduced n times in both directions, n² times as many with the kernels,
/// and n² with the reduction that ``automatic`` uses.
public enum ScalingFilter: String, CaseIterable, Hashable, Sendable {
    /// ``bilinear``; if the frame is reduced to less than half its width or height, a tent over all pixels that a pixel
    /// of the tile covers, which prevents aliasing.
    case automatic = "auto"
    /// The nearest sample of luma and of chroma: exact, but blocky when enlarged.
    case nearest
    /// Four samples weighted by distance; for a reduction in linear light, all that a pixel of the tile covers.
    case bilinear
    /// Cubic through the samples (Catmull-Rom): sharp.
    case catmullRom = "catmull-rom"
    /// The cubic of Mitchell and Netravali: between sharp and smooth.
    case mitchell
    /// Windowed sinc with three lobes: sharpest; rings at hard edges.
    case lanczos
}

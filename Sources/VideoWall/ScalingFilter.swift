/// How a picture is read where its pixels and the tile's do not coincide.
///
/// **Cost:** a pixel of the tile takes one access to each plane with ``nearest`` and ``bilinear``, 16 with the cubic kernels,
/// 36 with ``lanczos``; where the picture is reduced n times in both directions, n² times as many with the kernels, and n²
/// with the reduction that ``automatic`` uses.
public enum ScalingFilter: String, CaseIterable, Hashable, Sendable {
    /// ``bilinear``; where the picture is reduced to less than half its width or height, a tent over all pixels that a pixel of
    /// the tile stands for, so that fine detail becomes grey instead of a false pattern.
    case automatic = "auto"
    /// The nearest sample, of luma and of chroma: exact, and blocky when enlarged.
    case nearest
    /// Four samples weighted by distance; in linear light, where the picture is reduced, all that a pixel of the tile stands for.
    case bilinear
    /// Cubic through the samples (Catmull-Rom): sharp.
    case catmullRom = "catmull-rom"
    /// Cubic after Mitchell and Netravali: between sharp and smooth.
    case mitchell
    /// Windowed sinc with three lobes: sharpest; rings at hard edges.
    case lanczos
}

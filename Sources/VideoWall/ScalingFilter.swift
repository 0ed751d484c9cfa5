/// The filter that scales frames.
///
/// **Cost:** with ``nearest`` and ``bilinear``, one access to each plane for a pixel of the tile. The others take two
/// passes: if the frame is reduced n times in both directions (n = 1 if it is enlarged), about 4n² accesses with the
/// cubic kernels, 6n² with ``lanczos``, n² with the reduction that ``automatic`` uses. The first pass is kept until the
/// frame changes, in 8 bytes for each column of the tile and row of the frame.
public enum ScalingFilter: String, CaseIterable, Hashable, Sendable {
    /// ``bilinear``; if the frame is reduced, a tent over all pixels that a pixel of the tile covers, which prevents
    /// aliasing. Where the CPU draws, only if it is reduced to less than two thirds of its width or height.
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

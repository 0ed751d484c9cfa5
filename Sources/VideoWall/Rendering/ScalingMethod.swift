import MediaIO
import VideoWall

/// How a ``ScalingFilter`` is carried out for given sizes, and who weights luma and chroma.
enum ScalingMethod: Hashable {
    /// The nearest sample of luma and chroma.
    case nearest
    /// For source and target pixels that coincide: luma as it is, chroma weighted.
    case aligned
    /// Four samples, weighted by distance.
    case direct
    /// A kernel, in two passes.
    case kernel(Kernel)

    enum Kernel: Hashable {
        /// The four samples around a position, however many a target pixel covers.
        case bilinear
        /// A tent over all samples that a target pixel covers.
        case tent
        /// The same, reading two samples with one access.
        case pairedTent
        case catmullRom
        case mitchell
        case lanczos

        /// The radius in samples, as GLSL.
        var radius: String {
            switch self {
            case .bilinear, .tent, .pairedTent: "1.0"
            case .catmullRom, .mitchell: "2.0"
            case .lanczos: "3.0"
            }
        }

        /// The function in `kernels.glsl`.
        var function: String {
            switch self {
            case .bilinear, .tent, .pairedTent: "tent"
            case .catmullRom: "catmullRom"
            case .mitchell: "mitchell"
            case .lanczos: "lanczos"
            }
        }
    }

    /// Chooses the method.
    ///
    /// - Parameters:
    ///   - filter: the requested filter.
    ///   - layout: the layout of the frame's samples.
    ///   - reduction: source pixels per target pixel in both directions, at least 1.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    ///   - isAligned: whether source and target pixels coincide.
    ///   - isLinearLight: whether the mean of light is taken, which the texture unit cannot do.
    init(
        _ filter: ScalingFilter, of layout: PixelLayout, reduction: SIMD2<Float>, automaticReduction: Float,
        isAligned: Bool, isLinearLight: Bool
    ) {
        switch filter {
        case .nearest: self = .nearest
        case _ where isAligned: self = .aligned
        case .automatic where isLinearLight, .bilinear where isLinearLight: self = .kernel(.tent)
        case .automatic where max(reduction.x, reduction.y) > automaticReduction:
            // Samples must be multiplied by alpha before the mean is taken. A pair of Bayer samples costs more than two.
            self = .kernel(layout.hasAlpha || layout.model == .bayer ? .tent : .pairedTent)
        case .automatic, .bilinear: self = layout.hasAlpha ? .kernel(.bilinear) : .direct
        case .catmullRom: self = .kernel(.catmullRom)
        case .mitchell: self = .kernel(.mitchell)
        case .lanczos: self = .kernel(.lanczos)
        }
    }

    /// Whether luma, or any component that is not subsampled, is the weighted mean of the samples around a position
    /// rather than the nearest one.
    var weightsLuma: Bool {
        switch self {
        case .nearest, .aligned: false
        case .direct: true
        case .kernel(let kernel): kernel == .pairedTent
        }
    }

    /// Whether subsampled chroma is the weighted mean of the samples around a position rather than the nearest one.
    var weightsChroma: Bool { self != .nearest }

    /// The kernel, if there is one.
    var kernel: Kernel? { if case .kernel(let kernel) = self { kernel } else { nil } }
}

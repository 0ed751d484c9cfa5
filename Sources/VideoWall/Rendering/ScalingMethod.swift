package import MediaIO

/// How a ``ScalingFilter`` is carried out for given sizes, and whether reading luma and chroma already weights samples.
package enum ScalingMethod: Hashable {
    /// The nearest sample of luma and chroma.
    case nearest
    /// For source and target pixels that coincide: luma is not scaled, chroma is weighted by distance.
    case aligned
    /// Four samples, weighted by distance.
    case direct
    /// A kernel, in two passes.
    case kernel(Kernel)

    package enum Kernel: Hashable {
        /// The four samples around a position, however many a target pixel covers.
        case bilinear
        /// A tent over all samples that a target pixel covers.
        case tent
        /// The same, reading two samples with one access.
        case pairedTent
        case catmullRom
        case mitchell
        case lanczos

        /// The radius in samples.
        package var radius: Int {
            switch self {
            case .bilinear, .tent, .pairedTent: 1
            case .catmullRom, .mitchell: 2
            case .lanczos: 3
            }
        }

        /// How many times as wide the kernel is when it antialiases.
        ///
        /// - Parameter step: source pixels per pixel of the picture.
        /// - Returns: at least 1.
        package func reduction(_ step: Double) -> Double { self == .bilinear ? 1 : max(1, abs(step)) }
    }

    /// The reduction above which ``ScalingFilter/automatic`` antialiases, in source pixels per pixel of the picture.
    ///
    /// On the CPU, antialiasing costs more than four times as much as the bilinear filter. Up to a reduction of 2, that
    /// filter skips no sample, and up to 1.5, its moiré rings stay within four pixels.
    package static func automaticReduction(onCPU: Bool) -> Float { onCPU ? 1.5 : 1 }

    /// Chooses the method.
    ///
    /// - Parameters:
    ///   - filter: the requested filter.
    ///   - layout: the layout of the frame's samples.
    ///   - reduction: source pixels per target pixel in both directions, at least 1.
    ///   - automaticReduction: the reduction above which the automatic filter antialiases.
    ///   - isAligned: whether source and target pixels coincide.
    ///   - isLinearLight: whether the mean of light is taken, which the texture unit cannot do.
    package init(
        _ filter: ScalingFilter, of layout: PixelLayout, reduction: SIMD2<Float>, automaticReduction: Float,
        isAligned: Bool, isLinearLight: Bool
    ) {
        switch filter {
        case .nearest: self = .nearest
        case _ where isAligned: self = .aligned
        case .automatic where isLinearLight, .bilinear where isLinearLight: self = .kernel(.tent)
        case .automatic where max(reduction.x, reduction.y) > automaticReduction:
            // With alpha, each sample must be multiplied before the mean is taken, so two cannot be read at once. With
            // Bayer, reading a pair costs more than reading two single samples.
            self = .kernel(layout.hasAlpha || layout.model == .bayer ? .tent : .pairedTent)
        case .automatic, .bilinear: self = layout.hasAlpha ? .kernel(.bilinear) : .direct
        case .catmullRom: self = .kernel(.catmullRom)
        case .mitchell: self = .kernel(.mitchell)
        case .lanczos: self = .kernel(.lanczos)
        }
    }

    /// What to subtract from a position in source pixels, so that of two samples that are equally near, the first one is
    /// the nearest.
    package var tieBias: Double { self == .nearest ? 1.0 / 1024 : 0 }

    /// Whether luma, or any component that is not subsampled, is the weighted mean of the samples around a position
    /// rather than the nearest one.
    package var weightsLuma: Bool {
        switch self {
        case .nearest, .aligned: false
        case .direct: true
        case .kernel(let kernel): kernel == .pairedTent
        }
    }

    /// Whether subsampled chroma is the weighted mean of the samples around a position rather than the nearest one.
    package var weightsChroma: Bool { self != .nearest }

    /// The kernel, if there is one.
    package var kernel: Kernel? { if case .kernel(let kernel) = self { kernel } else { nil } }
}

extension WallScene.Tile {
    /// Whether source and target pixels coincide, so that luma needs no weighting.
    package func isAligned(_ visible: Rectangle) -> Bool {
        let size = VideoSize(width: visible.width, height: visible.height)
        let shown = orientation.rotation.isQuarterTurn ? size.transposed : size
        return shown.width == placement.destination.width && shown.height == placement.destination.height
            && placement.visibleWidth == 1 && placement.visibleHeight == 1
    }
}

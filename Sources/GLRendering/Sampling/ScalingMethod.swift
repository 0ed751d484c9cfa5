import VideoWall
import VitrailGL
import VitrailShaders

/// The scaling code for a ``ScalingFilter`` and the sizes.
enum ScalingMethod: Hashable {
    /// The nearest sample.
    case nearest
    /// The texture unit's weighting of four samples.
    case direct
    /// A tent over all pixels that a target pixel covers, two samples per access.
    case reduction
    /// A kernel over single samples.
    case kernel(Kernel)

    enum Kernel: String {
        case tent
        case catmullRom
        case mitchell
        case lanczos

        /// The radius in samples.
        var radius: String {
            switch self {
            case .tent: "1.0"
            case .catmullRom, .mitchell: "2.0"
            case .lanczos: "3.0"
            }
        }
    }

    /// Chooses the method.
    ///
    /// - Parameters:
    ///   - filter: the requested filter.
    ///   - reduction: source pixels per target pixel in both directions.
    ///   - isExact: whether source and target pixels coincide, so that only chroma is scaled.
    ///   - isLinearLight: whether light is averaged, which the texture unit cannot do.
    init(_ filter: ScalingFilter, reduction: SIMD2<Float>, isExact: Bool, isLinearLight: Bool) {
        switch filter {
        case .nearest: self = .nearest
        case _ where isExact: self = .direct
        case .automatic:
            let isMuch = max(reduction.x, reduction.y) > 2
            self = isLinearLight ? .kernel(.tent) : isMuch ? .reduction : .direct
        case .bilinear: self = isLinearLight ? .kernel(.tent) : .direct
        case .catmullRom: self = .kernel(.catmullRom)
        case .mitchell: self = .kernel(.mitchell)
        case .lanczos: self = .kernel(.lanczos)
        }
    }

    /// Whether the shader iterates over samples and needs their positions.
    var walks: Bool {
        switch self {
        case .nearest, .direct: false
        case .reduction, .kernel: true
        }
    }

    /// The parts of the shader that define `scaled`.
    var sources: [ShaderSource] {
        switch self {
        case .nearest, .direct: [ShaderSource(ShaderLibrary.scaleDirect)]
        case .reduction: [ShaderSource(ShaderLibrary.scaleReduction)]
        case .kernel(let kernel):
            [
                ShaderSource(ShaderLibrary.kernels),
                ShaderSource(
                    name: "kernel definitions",
                    text: "#define RADIUS \(kernel.radius)\n#define kernel(x) \(kernel.rawValue)(x)\n"),
                ShaderSource(ShaderLibrary.scaleKernel),
            ]
        }
    }
}

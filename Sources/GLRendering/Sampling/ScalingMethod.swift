import VideoWall
import VitrailGL
import VitrailShaders

/// The code that scales, as ``ScalingFilter`` and the sizes demand it.
enum ScalingMethod: Hashable {
    /// The nearest sample.
    case nearest
    /// What the texture unit makes of four samples.
    case direct
    /// A tent over all pixels that one of the target stands for, two samples an access.
    case reduction
    /// A kernel over single samples.
    case kernel(Kernel)

    enum Kernel: String {
        case tent
        case catmullRom
        case mitchell
        case lanczos

        /// In samples.
        var radius: String {
            switch self {
            case .tent: "1.0"
            case .catmullRom, .mitchell: "2.0"
            case .lanczos: "3.0"
            }
        }
    }

    /// Chooses.
    ///
    /// - Parameters:
    ///   - filter: what is wanted.
    ///   - reduction: source pixels a target pixel in both directions.
    ///   - isExact: whether source and target pixels coincide, so that there is nothing to scale but chroma.
    ///   - isLinearLight: whether light is averaged, which the texture unit cannot.
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

    /// Whether the shader walks over samples and has to know where they are.
    var walks: Bool {
        switch self {
        case .nearest, .direct: false
        case .reduction, .kernel: true
        }
    }

    /// Defines `scaled`.
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

import MediaIO
import VideoWall
import VitrailGL
import VitrailShaders

/// The fragment shader for one kind of frame, assembled from files and constants.
enum VideoShader {
    static func sources(_ kind: VideoProgram.Kind, _ sampling: PlaneSampling) -> [ShaderSource] {
        let conversion = kind.conversion.map { ColorConversionShader(conversion: $0).sources } ?? []
        func files(_ files: ShaderLibrary.File...) -> [ShaderSource] { files.map { ShaderSource($0) } }
        let start = [definitions(kind, sampling)]
        let dither = kind.ditherDepth > 0 ? files(ShaderLibrary.dither) : []
        let effects = kind.effects.isEmpty ? [] : EffectShader.folded(kind.effects, isShown: kind.isShown)
        return switch kind.pass {
        case .only:
            start + files(sampling.shader) + conversion
                + files(ShaderLibrary.pixel, ShaderLibrary.scaleDirect) + dither + files(ShaderLibrary.videoFragment)
                + effects
        case .across:
            start + files(sampling.shader) + conversion
                + files(ShaderLibrary.pixel, ShaderLibrary.kernels, ShaderLibrary.scaleAcrossFragment)
        case .down:
            start + conversion + files(ShaderLibrary.kernels, ShaderLibrary.scaleDown) + dither
                + files(ShaderLibrary.videoFragment) + effects
        }
    }

    /// The constants; a software rasterizer is a fifth faster with them than with uniforms.
    private static func definitions(_ kind: VideoProgram.Kind, _ sampling: PlaneSampling) -> ShaderSource {
        let (layout, scaling) = (kind.format.layout, kind.scaling)
        let isOpaque = !layout.hasAlpha || kind.drawsSamples
        var lines: [String] = []
        func define(_ name: String, if condition: Bool) { if condition { lines.append("#define \(name)") } }
        if kind.pass != .down {
            lines += (0..<sampling.count).map { "uniform sampler2D plane\($0);" }
            lines += sampling.definitions.map { "#define \($0.name) \($0.text)" }
        }
        define("FOLLOWED", if: !kind.effects.isEmpty)
        define("CLAMPED", if: kind.isClamped)
        define("SMOOTH_LUMA", if: scaling.weightsLuma && sampling.filtersInShader)
        define("SMOOTH_CHROMA", if: scaling.weightsChroma && sampling.filtersInShader)
        define("LINEAR_LIGHT", if: kind.isLinearLight)
        define("CONVERTED", if: kind.conversion != nil)
        define("BOUNDED", if: kind.isBounded)
        define("OPAQUE", if: isOpaque)
        define("FLOAT", if: layout.isFloat)
        define("MATRIX_FIRST", if: !isOpaque || kind.isLinearLight)
        define("PAIRED", if: scaling.kernel == .pairedTent)
        lines.append("#define COLUMNS \(1 << layout.horizontalShift)")
        if let kernel = scaling.kernel {
            lines.append("#define RADIUS \(kernel.radius).0")
            lines.append("#define kernel(x) \(kernel.function)(x)")
        }
        if kind.ditherDepth > 0 {
            lines.append(EffectShader.dither(kind.ditherDepth))
        }
        lines += constants(transform(kind, layout, scale: sampling.scale))
        return ShaderSource(name: "definitions", text: lines.joined(separator: "\n") + "\n")
    }

    /// The transform from texture values to R'G'B'.
    private static func transform(
        _ kind: VideoProgram.Kind, _ layout: PixelLayout, scale: Double
    ) -> YCbCrTransform {
        var transform = kind.drawsSamples ? YCbCrTransform.identity : kind.decoding
        func column(_ row: SIMD3<Double>) -> SIMD3<Double> {
            scale * (kind.swapsChroma ? SIMD3(row.x, row.z, row.y) : row)
        }
        transform.matrix = (column(transform.matrix.0), column(transform.matrix.1), column(transform.matrix.2))
        return transform
    }

    /// The matrix and offset as GLSL; nine digits identify a 32-bit number exactly.
    private static func constants(_ transform: YCbCrTransform) -> [String] {
        func vector(_ value: SIMD3<Double>) -> String {
            let parts = (0..<3).map { "\(Float(value[$0]))" }
            return "vec3(\(parts.joined(separator: ", ")))"
        }
        let (red, green, blue) = transform.matrix
        // GLSL's constructor takes columns; the transform has rows.
        let columns = (0..<3).map { vector(SIMD3(red[$0], green[$0], blue[$0])) }
        return [
            "const mat3 colorMatrix = mat3(\(columns.joined(separator: ", ")));",
            "const vec3 colorOffset = \(vector(transform.offset));",
        ]
    }
}

extension VideoProgram.Kind {
    /// The transform from samples to R'G'B'.
    fileprivate var decoding: YCbCrTransform { .decoding(format, matrix, range) }

    /// How the frame's own luma is computed from its samples: a factor for each of the three, and an offset.
    var lumaOfSamples: SIMD4<Float> {
        let luma = YCbCrTransform.luma(format, matrix, range)
        return SIMD4(SIMD3<Float>(luma.factors), Float(luma.offset))
    }
}

extension ScalingMethod.Kernel {
    /// The function in `kernels.glsl`.
    fileprivate var function: String {
        switch self {
        case .bilinear, .tent, .pairedTent: "tent"
        case .catmullRom: "catmullRom"
        case .mitchell: "mitchell"
        case .lanczos: "lanczos"
        }
    }
}

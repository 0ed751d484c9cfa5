import MediaIO
import VitrailGL
import VitrailShaders

/// The GLSL of a ``ColorConversion``: `vec3 linearLight(vec3 code)` and `vec3 shown(vec3 light)`.
///
/// The formulas are chosen here, not while drawing. Constants are written into the text, since a software rasterizer is
/// faster with constants than with uniforms; only the tone curve has uniforms, because a stream may change its metadata
/// with every frame.
struct ColorConversionShader {
    let conversion: ColorConversion

    /// The parts of a fragment shader that precede the one that calls the two functions.
    var sources: [ShaderSource] {
        let files =
            [ShaderLibrary.transfer]
            + (conversion.hasToneCurve ? [ShaderLibrary.convertTone] : []) + [ShaderLibrary.convert]
        return [constants] + files.map { ShaderSource($0) }
    }

    private var constants: ShaderSource {
        let (x, y, z) = conversion.matrix.columns
        return ShaderSource(
            name: "conversion constants",
            text: """
                const mat3 primaries = mat3(\(vector(x)), \(vector(y)), \(vector(z)));
                const vec3 sourceWeights = \(vector(conversion.sourceWeights));
                const vec3 targetWeights = \(vector(conversion.targetWeights));
                #define SOURCE_LIGHT(code) \(light(conversion.transfer))
                #define TARGET_CODE(light) \(code(conversion.target.transfer))
                #define TONE_MAPPED(light) \(conversion.hasToneCurve ? "toneMapped(light)" : "light")

                """)
    }

    private func light(_ transfer: ColorSpace.Transfer) -> String {
        switch transfer {
        case .bt709: "powerLight(code, 2.4)"
        case .gamma22: "powerLight(code, 2.2)"
        case .gamma28: "powerLight(code, 2.8)"
        case .sRGB: "sRGBLight(code)"
        case .linear: "code"
        case .pq: "pqLight(code)"
        case .hlg: "hlgLight(code, sourceWeights)"
        }
    }

    private func code(_ transfer: ColorSpace.Transfer) -> String {
        switch transfer {
        case .bt709: "powerCode(light, 2.4)"
        case .gamma22: "powerCode(light, 2.2)"
        case .gamma28: "powerCode(light, 2.8)"
        case .sRGB: "sRGBCode(light)"
        case .linear: "clamp(light, 0.0, 1.0)"
        case .pq: "pqCode(light)"
        case .hlg: "hlgCode(light, targetWeights)"
        }
    }

    /// A vector literal; nine digits identify a 32-bit number exactly.
    private func vector(_ value: SIMD3<Double>) -> String {
        "vec3(\(Float(value.x)), \(Float(value.y)), \(Float(value.z)))"
    }
}

/// The locations of a tone curve's uniforms in a program made of ``ColorConversionShader/sources``.
struct ToneCurveUniforms {
    private let range: Uniform
    private let shape: Uniform

    /// Finds the uniforms; `nil` if the conversion has no tone curve.
    init?(_ program: borrowing ShaderProgram, _ conversion: ColorConversion) throws(GLError) {
        guard conversion.hasToneCurve else { return nil }
        range = try program.uniform("toneRange")
        shape = try program.uniform("toneShape")
    }

    /// Sets the curve of the current program.
    ///
    /// **Cost:** every frame.
    func set(_ curve: ToneCurve) {
        range.set(SIMD2(Float(curve.black), Float(curve.span)))
        shape.set(SIMD3(Float(curve.knee), Float(curve.peak), Float(curve.lift)))
    }
}

import HeadlessGL
import MediaIO
import Testing
import VitrailGL

@testable import GLRendering

/// Runs the GLSL of a conversion on chosen code values, in 32-bit floating point from end to end.
struct ConversionProbe: ~Copyable {
    static let width = 128

    private let context: GLContext
    private let sampler: Sampler
    private let vertices: VertexArray

    init() throws {
        let context = try HeadlessContext.forTests()
        let sampler = try Sampler(context, .nearest)
        let vertices = try VertexArray(context)
        self.context = context
        self.sampler = sampler
        self.vertices = vertices
    }

    /// What `shown(linearLight(code))` makes of each value.
    ///
    /// - Throws: also for NaN and infinity, which no comparison after a `min` or `max` would see.
    func shown(
        _ values: [SIMD3<Float>], _ conversion: ColorConversion, _ curve: ToneCurve? = nil
    ) throws -> [SIMD3<Float>] {
        let cover = ShaderSource(
            name: "cover",
            text: """
                void main() {
                    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0);
                }
                """)
        let body = ShaderSource(
            name: "probe",
            text: """
                uniform sampler2D values;
                out vec4 color;
                void main() {
                    color = vec4(shown(linearLight(texelFetch(values, ivec2(gl_FragCoord.xy), 0).rgb)), 1.0);
                }
                """)
        let program = try ShaderProgram(
            context, title: "probe \(conversion.primaries) \(conversion.transfer) \(conversion.target)",
            vertex: [cover], fragment: ColorConversionShader(conversion: conversion).sources + [body])
        program.use()
        try program.uniform("values").set(0)
        try ToneCurveUniforms(program, conversion)?.set(curve ?? ToneCurve(of: conversion.transfer))

        let height = (values.count + Self.width - 1) / Self.width
        var texels = [SIMD4<Float>](repeating: SIMD4(0, 0, 0, 1), count: Self.width * height)
        for (index, value) in values.enumerated() { texels[index] = SIMD4(value, 1) }
        let input = try Texture(context, .rgba32f, width: Self.width, height: height)
        let output = try Framebuffer(context, .rgba32f, width: Self.width, height: height)
        texels.withUnsafeBytes { input.upload($0, bytesPerRow: Self.width * 16) }
        input.bind(unit: 0, sampler)
        output.bind()
        context.setViewport(width: Self.width, height: height)
        vertices.drawRectangle()
        texels.withUnsafeMutableBytes { output.readPixels(into: $0, bytesPerRow: Self.width * 16) }
        try context.check("Probing a conversion")
        let areFinite = texels.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }
        try #require(areFinite, "A colour is not a number, or infinite.")
        return texels[..<values.count].map { SIMD3($0.x, $0.y, $0.z) }
    }
}

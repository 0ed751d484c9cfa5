import HeadlessGL
import TestSupport
import Testing
import VitrailGL

/// Programs that do not compile say where, in whose words, with the line quoted.
@Suite(.renderTurn) struct ShaderProgramTests {
    static let vertex = ShaderSource(
        name: "corner.vert.glsl",
        text: "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0); }")

    @Test func aProgramDraws() throws {
        let context = try HeadlessContext.make()
        let program = try ShaderProgram(
            context, title: "test", vertex: [Self.vertex],
            fragment: [
                ShaderSource(name: "a", text: "uniform vec4 tint; vec4 faint() { return tint * 0.5; }"),
                ShaderSource(name: "b", text: "out vec4 color; void main() { color = faint(); }"),
            ])
        let picture = try Framebuffer(context, .rgba8, width: 2, height: 2)
        let vertices = try VertexArray(context)
        picture.bind()
        context.setViewport(width: 2, height: 2)
        program.use()
        try program.uniform("tint").set(SIMD4(1, 0, 1, 2))
        vertices.drawRectangle()
        var read = [UInt8](repeating: 0, count: 16)
        read.withUnsafeMutableBytes { picture.readPixels(into: $0, bytesPerRow: 8) }
        #expect(read == Array(repeating: [128, 0, 128, 255], count: 4).flatMap { $0 })
    }

    @Test func anErrorNamesFileAndLine() throws {
        let context = try HeadlessContext.make()
        let good = ShaderSource(name: "good.glsl", text: "float one() {\n    return 1.0;\n}")
        let bad = ShaderSource(
            name: "bad.glsl", text: "out vec4 color;\nvoid main() {\n    color = vec4(nothing);\n}\n")
        let error = #expect(throws: GLError.self) {
            _ = try ShaderProgram(context, title: "test", vertex: [Self.vertex], fragment: [good, bad])
        }
        #expect(error?.code == .compile)
        #expect(error?.description.contains("bad.glsl:3") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("color = vec4(nothing);") == true)
        #expect(throws: Never.self) { try context.check("What failed") }
    }

    @Test func shadersThatDoNotFitAreALinkError() throws {
        let context = try HeadlessContext.make()
        let vertex = ShaderSource(
            name: "v", text: "out vec2 place; void main() { place = vec2(gl_VertexID); gl_Position = vec4(0.0); }")
        let fragment = ShaderSource(
            name: "f", text: "in vec3 place; out vec4 color; void main() { color = place.xyzz; }")
        let error = #expect(throws: GLError.self) {
            _ = try ShaderProgram(context, title: "unfit", vertex: [vertex], fragment: [fragment])
        }
        #expect(error?.code == .link)
        #expect(error?.description.contains("place") == true)
    }

    @Test func aUniformThatIsNotThereIsAnError() throws {
        let context = try HeadlessContext.make()
        let fragment = ShaderSource(name: "f", text: "out vec4 color; void main() { color = vec4(1.0); }")
        let program = try ShaderProgram(context, title: "plain", vertex: [Self.vertex], fragment: [fragment])
        var code: GLError.Code?
        do throws(GLError) { _ = try program.uniform("tint") } catch { code = error.code }
        #expect(code == .uniform)
    }
}

import VitrailGL
import VitrailShaders

/// A program with the vertex shader `picture.vert.glsl`, and the locations of its uniforms.
struct QuadProgram: ~Copyable {
    let program: ShaderProgram
    private let destination: Uniform
    private let origin: Uniform
    private let right: Uniform
    private let down: Uniform
    private let lumaScale: Uniform

    init(_ context: GLContext, title: String, fragment: [ShaderSource]) throws(GLError) {
        let program = try ShaderProgram(
            context, title: title, vertex: [ShaderSource(ShaderLibrary.pictureVertex)], fragment: fragment)
        // The noncopyable members are set only after everything that can throw.
        let destination = try program.uniform("destination")
        let origin = try program.uniform("origin")
        let right = try program.uniform("right")
        let down = try program.uniform("down")
        let lumaScale = program.uniformIfUsed("lumaScale")
        self.destination = destination
        self.origin = origin
        self.right = right
        self.down = down
        self.lumaScale = lumaScale
        self.program = program
    }

    /// Makes this the current program and sets the placement; `planeSize` is that of the first plane, in texels.
    func use(_ placement: FramePlacement, planeSize: SIMD2<Float>) {
        program.use()
        destination.set(placement.destination)
        origin.set(placement.origin)
        right.set(placement.right)
        down.set(placement.down)
        lumaScale.set(1 / planeSize)
    }
}

extension ShaderSource {
    init(_ file: ShaderLibrary.File) { self.init(name: file.name, text: file.text) }
}

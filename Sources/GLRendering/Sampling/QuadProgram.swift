import VitrailGL
import VitrailShaders

/// A program that covers a rectangle: `picture.vert.glsl`, `position.glsl`, and the locations of their uniforms.
struct QuadProgram: ~Copyable {
    let program: ShaderProgram
    private let destination: Uniform
    private let size: Uniform
    private let origin: Uniform
    private let perColumn: Uniform
    private let perRow: Uniform

    init(_ context: GLContext, title: String, fragment: [ShaderSource]) throws(GLError) {
        let program = try ShaderProgram(
            context, title: title, vertex: [ShaderSource(ShaderLibrary.pictureVertex)],
            fragment: [ShaderSource(ShaderLibrary.position)] + fragment)
        // A program that computes its colours from nothing uses none of these but the first.
        destination = program.uniformIfUsed("destination")
        size = program.uniformIfUsed("size")
        origin = program.uniformIfUsed("origin")
        perColumn = program.uniformIfUsed("perColumn")
        perRow = program.uniformIfUsed("perRow")
        self.program = program
    }

    /// Makes this the current program and sets the placement.
    func use(_ placement: FramePlacement) {
        program.use()
        destination.set(placement.destination)
        size.set(placement.size)
        origin.set(placement.origin)
        perColumn.set(placement.perColumn)
        perRow.set(placement.perRow)
    }
}

extension ShaderSource {
    init(_ file: ShaderLibrary.File) { self.init(name: file.name, text: file.text) }
}

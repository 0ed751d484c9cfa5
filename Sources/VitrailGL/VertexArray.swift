@preconcurrency import CVitrailEpoxy

/// The vertex array that OpenGL 3.3 core requires; it is empty, since the vertex shaders compute their corners.
///
/// **Thread:** render thread.
public struct VertexArray: ~Copyable {
    private let context: GLContext
    private let name: GLuint

    /// Creates an empty vertex array.
    ///
    /// **Cost:** rare.
    public init(_ context: GLContext) throws(GLError) {
        // Errors that are pending here have another cause.
        context.clearErrors()
        var name: GLuint = 0
        epoxy_glGenVertexArrays(1, &name)
        try context.check("Making a vertex array")
        self.context = context
        self.name = name
    }

    deinit {
        context.delete(.vertexArray, name)
    }

    /// Draws one rectangle with the program in use: `gl_VertexID` 0…3 are its corners, row by row.
    ///
    /// **Cost:** every frame.
    public func drawRectangle() {
        epoxy_glBindVertexArray(name)
        epoxy_glDrawArrays(GLenum(GL_TRIANGLE_STRIP), 0, 4)
    }

    /// Draws points of one pixel with the program in use: `gl_VertexID` counts them from 0.
    ///
    /// **Cost:** every frame.
    public func drawPoints(_ count: Int) {
        epoxy_glBindVertexArray(name)
        epoxy_glDrawArrays(GLenum(GL_POINTS), 0, GLsizei(count))
    }
}

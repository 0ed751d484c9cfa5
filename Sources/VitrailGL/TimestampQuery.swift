@preconcurrency import CVitrailEpoxy

/// A point in the GPU's commands, whose time can be read later (`GL_TIMESTAMP`).
///
/// **Thread:** render thread.
public struct TimestampQuery: ~Copyable {
    private let context: GLContext
    private let name: GLuint

    /// Makes a query; it has no time before ``note()``.
    public init(_ context: GLContext) {
        var name: GLuint = 0
        epoxy_glGenQueries(1, &name)
        self.context = context
        self.name = name
    }

    deinit { context.delete(.query, name) }

    /// Has the GPU note the time when it has finished the commands so far.
    ///
    /// **Cost:** every frame.
    public func note() { epoxy_glQueryCounter(name, GLenum(GL_TIMESTAMP)) }

    /// The time in nanoseconds from an arbitrary zero; `nil` until the GPU has noted it.
    ///
    /// **Cost:** every frame; it does not wait.
    public var time: UInt64? {
        var isKnown: GLint = 0
        epoxy_glGetQueryObjectiv(name, GLenum(GL_QUERY_RESULT_AVAILABLE), &isKnown)
        guard isKnown == GL_TRUE else { return nil }
        var time: GLuint64 = 0
        epoxy_glGetQueryObjectui64v(name, GLenum(GL_QUERY_RESULT), &time)
        return time
    }
}

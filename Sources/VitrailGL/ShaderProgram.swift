@preconcurrency import CVitrailEpoxy

/// A part of a shader: the text of a file, and the name that error messages give it.
public struct ShaderSource: Hashable, Sendable {
    /// The file's name.
    public let name: String
    /// GLSL, without a `#version` line.
    public let text: String

    /// Names a text.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A linked program of a vertex and a fragment shader.
///
/// **Thread:** render thread.
public struct ShaderProgram: ~Copyable {
    private let context: GLContext
    private let title: String
    private let name: GLuint

    /// Compiles and links.
    ///
    /// **Cost:** rare; 5 to 50 ms.
    /// - Parameters:
    ///   - context: where the program lives.
    ///   - title: what the program is called in errors.
    ///   - vertex: parts of the vertex shader; `#version 330 core` is put before them.
    ///   - fragment: parts of the fragment shader, likewise.
    /// - Throws: ``GLError/Code/compile`` or ``GLError/Code/link`` with the driver's log, in which places are given as
    ///   `file:line` with the line quoted.
    public init(
        _ context: GLContext, title: String, vertex: [ShaderSource], fragment: [ShaderSource]
    ) throws(GLError) {
        // What is pending here was caused elsewhere.
        context.forgetErrors()
        let vertexShader = try Shader(context, GLenum(GL_VERTEX_SHADER), vertex)
        let fragmentShader = try Shader(context, GLenum(GL_FRAGMENT_SHADER), fragment)
        let name = epoxy_glCreateProgram()
        epoxy_glAttachShader(name, vertexShader.name)
        epoxy_glAttachShader(name, fragmentShader.name)
        epoxy_glLinkProgram(name)
        epoxy_glDetachShader(name, vertexShader.name)
        epoxy_glDetachShader(name, fragmentShader.name)
        var linked: GLint = 0
        epoxy_glGetProgramiv(name, GLenum(GL_LINK_STATUS), &linked)
        guard linked != 0 else {
            let log = infoLog(name, epoxy_glGetProgramiv, epoxy_glGetProgramInfoLog)
            epoxy_glDeleteProgram(name)
            context.forgetErrors()
            throw GLError(.link, "The shader program \(title) does not link: \(log)")
        }
        try context.check("Linking the shader program \(title)")
        self.context = context
        self.title = title
        self.name = name
    }

    deinit {
        context.delete(.program, name)
    }

    /// Makes the program the one that draws.
    public func use() {
        context.assertCurrent()
        epoxy_glUseProgram(name)
    }

    /// Where a uniform is.
    ///
    /// **Cost:** rare: ask once, keep the answer.
    /// - Throws: ``GLError/Code/uniform`` when no shader uses that name.
    public func uniform(_ uniform: String) throws(GLError) -> Uniform {
        let location = epoxy_glGetUniformLocation(name, uniform)
        guard location >= 0 else {
            throw GLError(.uniform, "The shader program \(title) does not use a uniform called \(uniform).")
        }
        return Uniform(context: context, location: location)
    }

    /// Where a uniform is that the shaders may leave unused, as a variant of them does; setting it does nothing then.
    ///
    /// **Cost:** rare: ask once, keep the answer.
    public func uniformIfUsed(_ uniform: String) -> Uniform {
        // OpenGL ignores what is set at location -1.
        Uniform(context: context, location: epoxy_glGetUniformLocation(name, uniform))
    }
}

/// The place of a uniform in the program that is in use.
///
/// **Thread:** render thread, with the program's context current. **Cost:** every frame.
public struct Uniform {
    let context: GLContext
    let location: GLint

    /// Sets an `int` or a sampler's unit.
    public func set(_ value: Int) {
        context.assertCurrent()
        epoxy_glUniform1i(location, GLint(value))
    }

    /// Sets a `vec2`.
    public func set(_ value: SIMD2<Float>) {
        context.assertCurrent()
        epoxy_glUniform2f(location, value.x, value.y)
    }

    /// Sets a `vec3`.
    public func set(_ value: SIMD3<Float>) {
        context.assertCurrent()
        epoxy_glUniform3f(location, value.x, value.y, value.z)
    }

    /// Sets a `vec4`.
    public func set(_ value: SIMD4<Float>) {
        context.assertCurrent()
        epoxy_glUniform4f(location, value.x, value.y, value.z, value.w)
    }
}

private struct Shader: ~Copyable {
    let context: GLContext
    let name: GLuint

    init(_ context: GLContext, _ kind: GLenum, _ sources: [ShaderSource]) throws(GLError) {
        let name = epoxy_glCreateShader(kind)
        let text = ShaderLog.join(sources)
        text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            epoxy_glShaderSource(name, 1, &pointer, nil)
        }
        epoxy_glCompileShader(name)
        var compiled: GLint = 0
        epoxy_glGetShaderiv(name, GLenum(GL_COMPILE_STATUS), &compiled)
        guard compiled != 0 else {
            let log = infoLog(name, epoxy_glGetShaderiv, epoxy_glGetShaderInfoLog)
            epoxy_glDeleteShader(name)
            context.forgetErrors()
            let names = sources.map(\.name).joined(separator: " + ")
            throw GLError(.compile, "\(names) does not compile:\n" + ShaderLog.explain(log, sources))
        }
        self.context = context
        self.name = name
    }

    deinit {
        context.delete(.shader, name)
    }
}

private func infoLog(
    _ name: GLuint, _ ask: (GLuint, GLenum, UnsafeMutablePointer<GLint>?) -> Void,
    _ read: (GLuint, GLsizei, UnsafeMutablePointer<GLsizei>?, UnsafeMutablePointer<GLchar>?) -> Void
) -> String {
    var length: GLint = 0
    ask(name, GLenum(GL_INFO_LOG_LENGTH), &length)
    guard length > 1 else { return "the driver gives no reason." }
    var bytes = [GLchar](repeating: 0, count: Int(length))
    var written: GLsizei = 0
    read(name, length, &written, &bytes)
    return String(decoding: bytes[..<Int(written)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

@preconcurrency import CVitrailEpoxy

/// A part of a shader: the text of a file, and its name for errors.
public struct ShaderSource: Hashable, Sendable {
    /// The file's name.
    public let name: String
    /// The number of the first line, from 1.
    public let firstLine: Int
    /// GLSL, without a `#version` line.
    public let text: String

    /// Creates a part from its name and text.
    public init(name: String, firstLine: Int = 1, text: String) {
        self.name = name
        self.firstLine = firstLine
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

    /// Compiles and links a program.
    ///
    /// **Cost:** rare; 5 to 50 ms.
    /// - Parameters:
    ///   - context: the program's context.
    ///   - title: the program's name for errors.
    ///   - vertex: the parts of the vertex shader; the version is prepended: 330 core, or 300 es with precisions.
    ///   - fragment: the parts of the fragment shader, likewise.
    /// - Throws: ``GLError/Code/compile`` or ``GLError/Code/link`` with the driver's log, with places as `file:line`
    ///   and the line quoted.
    public init(
        _ context: GLContext, title: String, vertex: [ShaderSource], fragment: [ShaderSource]
    ) throws(GLError) {
        name = try LargeStack.run { () throws(GLError) in try Self.link(context, title, vertex, fragment) }
        self.context = context
        self.title = title
    }

    /// Compiles and links a program.
    private static func link(
        _ context: GLContext, _ title: String, _ vertex: [ShaderSource], _ fragment: [ShaderSource]
    ) throws(GLError) -> GLuint {
        // Errors that are pending here have another cause.
        context.clearErrors()
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
            context.clearErrors()
            throw GLError(.link, "The shader program \(title) does not link: \(log)")
        }
        try context.check("Linking the shader program \(title)")
        return name
    }

    deinit {
        context.delete(.program, name)
    }

    /// Makes this the current program.
    public func use() {
        context.assertCurrent()
        epoxy_glUseProgram(name)
    }

    /// Returns the location of a uniform.
    ///
    /// **Cost:** rare: call it once, keep the result.
    /// - Throws: ``GLError/Code/uniform`` if no shader uses that name.
    public func uniform(_ uniform: String) throws(GLError) -> Uniform {
        let location = epoxy_glGetUniformLocation(name, uniform)
        guard location >= 0 else {
            throw GLError(.uniform, "The shader program \(title) does not use a uniform called \(uniform).")
        }
        return Uniform(context: context, location: location)
    }

    /// Returns the location of a uniform that some variants of the shaders do not use; setting it then does nothing.
    ///
    /// **Cost:** rare: call it once, keep the result.
    public func uniformIfUsed(_ uniform: String) -> Uniform {
        // OpenGL ignores values set at location -1.
        Uniform(context: context, location: epoxy_glGetUniformLocation(name, uniform))
    }
}

/// The location of a uniform in the current program.
///
/// **Thread:** render thread, with the program's context current. **Cost:** every frame.
public struct Uniform {
    let context: GLContext
    let location: GLint

    /// Sets an `int`, of whose 32 bits a larger number keeps the lower ones, or a sampler's unit.
    public func set(_ value: Int) {
        context.assertCurrent()
        epoxy_glUniform1i(location, GLint(truncatingIfNeeded: value))
    }

    /// Sets a `float`.
    public func set(_ value: Float) {
        context.assertCurrent()
        epoxy_glUniform1f(location, value)
    }

    /// Sets an `ivec2`.
    public func set(x: Int, y: Int) {
        context.assertCurrent()
        epoxy_glUniform2i(location, GLint(x), GLint(y))
    }

    /// Sets an `ivec3`.
    public func set(x: Int, y: Int, z: Int) {
        context.assertCurrent()
        epoxy_glUniform3i(location, GLint(x), GLint(y), GLint(z))
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
        let isES = context.information.isES
        let text = ShaderLog.join(sources, isES: isES)
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
            context.clearErrors()
            let names = sources.map(\.name).joined(separator: " + ")
            throw GLError(
                .compile, "\(names) does not compile:\n" + ShaderLog.explain(log, sources, isES: isES),
                messages: ShaderLog.messages(log, sources, isES: isES))
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
    guard length > 1 else { return "the driver's log is empty." }
    var bytes = [GLchar](repeating: 0, count: Int(length))
    var written: GLsizei = 0
    read(name, length, &written, &bytes)
    return String(decoding: bytes[..<Int(written)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

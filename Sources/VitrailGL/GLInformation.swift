@preconcurrency import CVitrailEpoxy

/// The description of an OpenGL driver.
public struct GLInformation: Hashable, Sendable {
    /// The vendor of the driver.
    public let vendor: String
    /// The name of the GPU or of the software rasterizer.
    public let renderer: String
    /// The OpenGL version, and the driver's own.
    public let version: String
    /// The largest width and height of a texture, in pixels.
    public let maximumTextureSize: Int
    /// Whether the CPU draws: Mesa's llvmpipe and softpipe, or SwiftShader.
    public let isSoftware: Bool
    /// The family.
    public let interface: GLInterface
    var isES: Bool { interface == .embedded }
    /// Whether the GPU's clock can be asked (`GL_TIMESTAMP`).
    public let hasTimestamps: Bool
    /// Whether the driver knows the size and the format of a texture: OpenGL ES does from 3.1 on.
    let describesTextures: Bool
    /// Whether textures can have 16 bits a component: OpenGL, or `GL_EXT_texture_norm16`.
    public let hasTextures16: Bool
    /// Whether clip space can be turned upside down: OpenGL 4.5 or `GL_ARB_clip_control`.
    let hasClipControl: Bool
    /// Whether buffers can stay mapped while the GPU reads them: OpenGL 4.4, `GL_ARB_buffer_storage`, or
    /// `GL_EXT_buffer_storage` of OpenGL ES.
    public let hasBufferStorage: Bool
    /// Whether the context tells when the GPU was reset (`GL_LOSE_CONTEXT_ON_RESET`).
    public let noticesResets: Bool

    /// Queries the current context.
    init() throws(GLError) {
        func string(_ name: Int32) -> String {
            epoxy_glGetString(GLenum(name)).map { String(cString: $0) } ?? ""
        }
        vendor = string(GL_VENDOR)
        renderer = string(GL_RENDERER)
        version = string(GL_VERSION)
        let found = epoxy_gl_version()
        let isES = !epoxy_is_desktop_gl()
        interface = isES ? .embedded : .desktop
        hasTimestamps = !isES
        describesTextures = !isES || found >= 31
        guard found >= (isES ? 30 : 33) else {
            throw GLError(
                .version,
                "OpenGL 3.3 or OpenGL ES 3.0 is required, but the driver \(renderer) has \(version): update it, or use "
                    + "Mesa's llvmpipe.", underlying: UInt32(found))
        }
        hasTextures16 = !isES || epoxy_has_gl_extension("GL_EXT_texture_norm16")
        var size: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &size)
        maximumTextureSize = Int(size)
        hasClipControl = !isES && (found >= 45 || epoxy_has_gl_extension("GL_ARB_clip_control"))
        hasBufferStorage =
            isES
            ? epoxy_has_gl_extension("GL_EXT_buffer_storage")
            : found >= 44 || epoxy_has_gl_extension("GL_ARB_buffer_storage")
        // epoxy finds the function of OpenGL 4.5 or of GL_KHR_robustness; an older extension has another one.
        var strategy: GLint = 0
        if found >= (isES ? 32 : 45) || epoxy_has_gl_extension("GL_KHR_robustness") {
            epoxy_glGetIntegerv(GLenum(GL_RESET_NOTIFICATION_STRATEGY), &strategy)
        }
        noticesResets = strategy == GLint(GL_LOSE_CONTEXT_ON_RESET)
        let name = renderer.lowercased()
        isSoftware = ["llvmpipe", "softpipe", "swiftshader"].contains { name.contains($0) }
    }
}

@preconcurrency import CVitrailEpoxy

/// What a driver says of itself.
public struct GLInformation: Hashable, Sendable {
    /// Who made the driver.
    public let vendor: String
    /// The GPU, or the name of the software that stands in for one.
    public let renderer: String
    /// The version, with the driver's own.
    public let version: String
    /// The largest width and height of a texture, in pixels.
    public let maximumTextureSize: Int
    /// Whether the CPU does the work: Mesa's llvmpipe and softpipe, or SwiftShader.
    public let isSoftware: Bool

    /// Asks the current context.
    init() throws(GLError) {
        func string(_ name: Int32) -> String {
            epoxy_glGetString(GLenum(name)).map { String(cString: $0) } ?? ""
        }
        vendor = string(GL_VENDOR)
        renderer = string(GL_RENDERER)
        version = string(GL_VERSION)
        let found = epoxy_gl_version()
        guard epoxy_is_desktop_gl(), found >= 33 else {
            throw GLError(
                .version,
                "OpenGL 3.3 is needed, the driver \(renderer) offers \(version). Update it, or use Mesa's llvmpipe.",
                underlying: UInt32(found))
        }
        var size: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &size)
        maximumTextureSize = Int(size)
        let name = renderer.lowercased()
        isSoftware = ["llvmpipe", "softpipe", "swiftshader"].contains { name.contains($0) }
    }
}

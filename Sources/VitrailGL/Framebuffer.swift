@preconcurrency import CVitrailEpoxy
import VitrailSupport

/// A texture that can be drawn to and read back.
///
/// **Thread:** render thread.
public struct Framebuffer: ~Copyable {
    /// The texture that is drawn to.
    public let texture: Texture
    private let name: GLuint

    /// Allocates a texture to draw to, with undefined content.
    ///
    /// **Cost:** rare.
    /// - Throws: what ``Texture/init(_:_:width:height:)`` throws, or ``GLError/Code/framebuffer``.
    public init(_ context: GLContext, _ format: TextureFormat, width: Int, height: Int) throws(GLError) {
        let texture = try Texture(context, format, width: width, height: height)
        name = try Self.name(attaching: texture.name, "\(format) texture of \(width)x\(height)")
        self.texture = texture
    }

    /// Makes a framebuffer object of a texture, and binds it.
    ///
    /// - Returns: its name.
    /// - Throws: ``GLError/Code/framebuffer``, naming the texture by `description`.
    static func name(attaching texture: GLuint, _ description: @autoclosure () -> String) throws(GLError) -> GLuint {
        var name: GLuint = 0
        epoxy_glGenFramebuffers(1, &name)
        epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        epoxy_glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        let status = epoxy_glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            epoxy_glDeleteFramebuffers(1, &name)
            throw GLError(
                .framebuffer,
                "The driver cannot draw to a \(description()): status 0x\(String(status, radix: 16)).",
                underlying: status)
        }
        return name
    }

    deinit {
        texture.context.delete(.framebuffer, name)
    }

    /// Binds this framebuffer for drawing.
    public func bind() { texture.context.bind(framebuffer: name) }

    /// Copies a rectangle to the window, with row 0 at its top; the window's framebuffer is bound afterwards.
    ///
    /// The scissor must be off. **Cost:** every frame.
    /// - Parameters:
    ///   - part: the rectangle in pixels, with row 0 first.
    ///   - height: the height of the window's framebuffer, in pixels.
    public func copyToWindow(_ part: (x: Int, y: Int, width: Int, height: Int), height: Int) {
        texture.context.assertCurrent()
        epoxy_glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
        epoxy_glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), 0)
        let (left, right) = (GLint(part.x), GLint(part.x + part.width))
        epoxy_glBlitFramebuffer(
            left, GLint(part.y), right, GLint(part.y + part.height), left, GLint(height - part.y), right,
            GLint(height - part.y - part.height), GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        texture.context.bind(framebuffer: 0)
    }

    /// Waits for the GPU and copies the pixels into memory; the row at OpenGL's y = 0 comes first.
    ///
    /// **Cost:** every frame if frames are read back; waits for the GPU.
    /// - Parameters:
    ///   - bytes: memory for all rows.
    ///   - bytesPerRow: a multiple of the texel's size, at least one row.
    public func readPixels(into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int) {
        let texel = texture.format.bytesPerTexel
        require(
            bytesPerRow % texel == 0 && bytesPerRow >= texture.width * texel
                && bytes.count >= bytesPerRow * (texture.height - 1) + texture.width * texel,
            "The memory must have room for every row: height × bytesPerRow bytes.")
        bind()
        texture.context.readPixels(
            texture.format, width: texture.width, height: texture.height, into: bytes, bytesPerRow)
    }
}

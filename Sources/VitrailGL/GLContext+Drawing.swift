@preconcurrency import CVitrailEpoxy
import VitrailSupport

/// Calls that affect the bound framebuffer.
///
/// **Thread:** render thread, with the context current; debug builds check that. **Cost:** every frame.
extension GLContext {
    /// Binds a framebuffer object for drawing; 0 is the window's own.
    public func bind(framebuffer: UInt32) {
        assertCurrent()
        epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
    }

    /// Sets the rectangle of pixels that clip space, −1 to 1, maps to.
    ///
    /// - Parameters:
    ///   - x: the left edge, in pixels of the framebuffer; it may be outside.
    ///   - y: the lower edge, with OpenGL's y upwards.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    public func setViewport(x: Int = 0, y: Int = 0, width: Int, height: Int) {
        assertCurrent()
        epoxy_glViewport(GLint(x), GLint(y), GLsizei(width), GLsizei(height))
    }

    /// Limits drawing and clearing to a rectangle, with OpenGL's y upwards; `nil` for no limit.
    public func setScissor(_ rectangle: (x: Int, y: Int, width: Int, height: Int)?) {
        assertCurrent()
        guard let rectangle else { return epoxy_glDisable(GLenum(GL_SCISSOR_TEST)) }
        epoxy_glEnable(GLenum(GL_SCISSOR_TEST))
        epoxy_glScissor(
            GLint(rectangle.x), GLint(rectangle.y), GLsizei(max(0, rectangle.width)), GLsizei(max(0, rectangle.height)))
    }

    /// Clears the framebuffer, within the scissor, to a colour (components 0…1), by default an opaque one.
    public func clear(red: Float, green: Float, blue: Float, alpha: Float = 1) {
        assertCurrent()
        epoxy_glClearColor(red, green, blue, alpha)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    }

    /// How what is drawn combines with what is there.
    public enum Blending: Sendable {
        /// It replaces it.
        case off
        /// It covers it, with premultiplied alpha.
        case over
        /// It is added.
        case sum
    }

    /// Chooses how what is drawn combines with what is there.
    public func setBlending(_ blending: Blending) {
        assertCurrent()
        guard blending != .off else { return epoxy_glDisable(GLenum(GL_BLEND)) }
        epoxy_glEnable(GLenum(GL_BLEND))
        epoxy_glBlendFunc(GLenum(GL_ONE), GLenum(blending == .over ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE))
    }

    /// Reads the window's framebuffer before it is presented, as RGBA, lowest row first.
    ///
    /// - Parameters:
    ///   - width: the width of the window's framebuffer, in pixels.
    ///   - height: the height of the window's framebuffer, in pixels.
    ///   - bytes: memory for `width` × `height` × 4 bytes.
    public func readWindow(width: Int, height: Int, into bytes: UnsafeMutableRawBufferPointer) {
        require(bytes.count >= width * height * 4, "The memory must have width × height × 4 bytes.")
        bind(framebuffer: 0)
        readPixels(.rgba8, width: width, height: height, into: bytes, width * 4)
    }

    func readPixels(
        _ format: TextureFormat, width: Int, height: Int, into bytes: UnsafeMutableRawBufferPointer,
        _ bytesPerRow: Int
    ) {
        assertCurrent()
        epoxy_glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        epoxy_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(bytesPerRow / format.bytesPerTexel))
        epoxy_glReadPixels(
            0, 0, GLsizei(width), GLsizei(height), format.layout, format.componentType, bytes.baseAddress)
        epoxy_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
    }
}

@preconcurrency import CVitrailEpoxy

/// Calls that concern whichever picture is drawn to.
///
/// **Thread:** render thread, with the context current; debug builds check that. **Cost:** every frame.
extension GLContext {
    /// Makes a framebuffer object the picture that is drawn to; 0 is the window's own.
    public func bind(framebuffer: UInt32) {
        assertCurrent()
        epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
    }

    /// Says which pixels the corners −1 and 1 of clip space stand for.
    ///
    /// - Parameters:
    ///   - x: where the left edge is, in pixels of the picture; outside of it as well.
    ///   - y: where the lower edge is, with OpenGL's y upwards.
    ///   - width: in pixels.
    ///   - height: in pixels.
    public func setViewport(x: Int = 0, y: Int = 0, width: Int, height: Int) {
        assertCurrent()
        epoxy_glViewport(GLint(x), GLint(y), GLsizei(width), GLsizei(height))
    }

    /// Draws and clears nothing outside of a rectangle, with OpenGL's y upwards; `nil` for no such limit.
    public func setScissor(_ rectangle: (x: Int, y: Int, width: Int, height: Int)?) {
        assertCurrent()
        guard let rectangle else { return epoxy_glDisable(GLenum(GL_SCISSOR_TEST)) }
        epoxy_glEnable(GLenum(GL_SCISSOR_TEST))
        epoxy_glScissor(
            GLint(rectangle.x), GLint(rectangle.y), GLsizei(max(0, rectangle.width)), GLsizei(max(0, rectangle.height)))
    }

    /// Fills the picture, as far as the scissor allows, with an opaque colour (components 0…1).
    public func clear(red: Float, green: Float, blue: Float) {
        assertCurrent()
        epoxy_glClearColor(red, green, blue, 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    }

    /// Whether what is drawn next is laid over by its alpha (premultiplied-alpha blending) or replaces.
    public func setBlending(_ on: Bool) {
        assertCurrent()
        if on {
            epoxy_glEnable(GLenum(GL_BLEND))
            epoxy_glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        } else {
            epoxy_glDisable(GLenum(GL_BLEND))
        }
    }

    /// Reads the window's own picture before it is presented, as RGBA, lowest row first.
    ///
    /// - Parameters:
    ///   - width: the window's framebuffer, in pixels.
    ///   - height: likewise.
    ///   - bytes: room for `width` × `height` × 4 bytes.
    public func readWindow(width: Int, height: Int, into bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= width * height * 4, "Make room for width × height × 4 bytes.")
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

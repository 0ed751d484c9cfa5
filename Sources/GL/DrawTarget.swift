@preconcurrency import CVitrailEpoxy

/// Calls that concern whichever picture is drawn to.
///
/// **Thread:** render thread. **Cost:** every frame.
public enum DrawTarget {
    /// Makes the window's own picture the one that is drawn to.
    public static func bindWindow() { epoxy_glBindFramebuffer(GLenum(GL_FRAMEBUFFER), 0) }

    /// Says which pixels the corners −1 and 1 of clip space stand for.
    ///
    /// - Parameters:
    ///   - x: where the left edge is, in pixels of the picture; outside of it as well.
    ///   - y: where the lower edge is, with OpenGL's y upwards.
    ///   - width: in pixels.
    ///   - height: in pixels.
    public static func setViewport(x: Int = 0, y: Int = 0, width: Int, height: Int) {
        epoxy_glViewport(GLint(x), GLint(y), GLsizei(width), GLsizei(height))
    }

    /// Fills the picture, or a rectangle of it with OpenGL's y upwards, with an opaque colour (components 0…1).
    public static func clear(
        red: Float, green: Float, blue: Float, in rectangle: (x: Int, y: Int, width: Int, height: Int)? = nil
    ) {
        if let rectangle {
            epoxy_glEnable(GLenum(GL_SCISSOR_TEST))
            epoxy_glScissor(
                GLint(rectangle.x), GLint(rectangle.y), GLsizei(rectangle.width), GLsizei(rectangle.height))
        }
        epoxy_glClearColor(red, green, blue, 1)
        epoxy_glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        if rectangle != nil { epoxy_glDisable(GLenum(GL_SCISSOR_TEST)) }
    }

    /// Whether what is drawn next covers by its alpha (premultiplied) or replaces.
    public static func setBlending(_ on: Bool) {
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
    public static func readWindow(width: Int, height: Int, into bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= width * height * 4, "Make room for width × height × 4 bytes.")
        bindWindow()
        readPixels(.rgba8, width: width, height: height, into: bytes, width * 4)
    }

    static func readPixels(
        _ format: TextureFormat, width: Int, height: Int, into bytes: UnsafeMutableRawBufferPointer,
        _ bytesPerRow: Int
    ) {
        epoxy_glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        epoxy_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(bytesPerRow / format.bytesPerTexel))
        epoxy_glReadPixels(
            0, 0, GLsizei(width), GLsizei(height), format.layout, format.componentType, bytes.baseAddress)
        epoxy_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
    }
}

@preconcurrency import CVitrailEpoxy

/// Binds a framebuffer that somebody else made so that drawing goes to one of its colour buffers, and remembers which
/// draw buffers were selected.
///
/// **Thread:** render thread, with the context current. **Cost:** every frame; some twenty calls.
public struct DrawBuffers {
    private let framebuffer: GLuint
    private let count: Int
    private var names = InlineArray<16, GLenum>(repeating: GLenum(GL_NONE))
    private var isChanged = false

    /// Binds a framebuffer, and selects the first of its draw buffers that exists, or else its first colour buffer.
    ///
    /// - Parameters:
    ///   - context: the context, current.
    ///   - framebuffer: OpenGL's name of the framebuffer; 0 is the default one.
    /// - Throws: ``GLError/Code/framebuffer`` if it does not exist or is incomplete, or if it has no colour buffer, or
    ///   one whose colours are not kept as they are drawn.
    public init(_ context: GLContext, binding framebuffer: UInt32) throws(GLError) {
        context.assertCurrent()
        guard framebuffer == 0 || epoxy_glIsFramebuffer(framebuffer) != 0 else {
            throw GLError(
                .framebuffer,
                "There is no framebuffer \(framebuffer) in this context: it was deleted, was never bound, or belongs to "
                    + "another context. Contexts share no framebuffers.")
        }
        context.bind(framebuffer: framebuffer)
        let status = epoxy_glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            throw GLError(.framebuffer, Self.problem(framebuffer, status), underlying: status)
        }
        self.framebuffer = framebuffer
        count = context.tables.drawBuffers
        for index in 0..<count {
            var name: GLint = 0
            epoxy_glGetIntegerv(GLenum(GL_DRAW_BUFFER0) + GLenum(index), &name)
            names[index] = GLenum(name)
        }
        let isES = context.information.isES
        guard let buffer = framebuffer == 0 ? defaultBuffer(isES) : attachment(isES) else {
            throw GLError(
                .framebuffer,
                "The framebuffer \(framebuffer) has no buffer of colours: attach a texture or a renderbuffer to "
                    + "GL_COLOR_ATTACHMENT0.")
        }
        if framebuffer != 0 { try Self.check(framebuffer, buffer, context) }
        isChanged = names[0] != buffer || !isSingle
        if isChanged { Self.draw(into: buffer, isES) }
    }

    /// Binds the framebuffer and selects its previous draw buffers again.
    public func restore(_ context: GLContext) {
        guard isChanged else { return }
        context.bind(framebuffer: framebuffer)
        if isSingle { return Self.draw(into: names[0], context.information.isES) }
        names.span.withUnsafeBufferPointer { epoxy_glDrawBuffers(GLsizei(count), $0.baseAddress) }
    }

    /// Whether at most the first draw buffer was selected.
    private var isSingle: Bool {
        for index in 1..<count where names[index] != GLenum(GL_NONE) { return false }
        return true
    }

    private static func draw(into buffer: GLenum, _ isES: Bool) {
        // Only this call accepts a name that stands for several buffers, such as both back buffers of a stereo window.
        guard isES else { return epoxy_glDrawBuffer(buffer) }
        var buffer = buffer
        epoxy_glDrawBuffers(1, &buffer)
    }

    /// The buffer of the default framebuffer.
    private func defaultBuffer(_ isES: Bool) -> GLenum {
        guard names[0] == GLenum(GL_NONE) else { return names[0] }
        var isDouble: GLint = GL_TRUE
        if !isES { epoxy_glGetIntegerv(GLenum(GL_DOUBLEBUFFER), &isDouble) }
        return GLenum(isDouble == GL_TRUE ? GL_BACK : GL_FRONT)
    }

    /// The buffer of a framebuffer object; `nil` if there is none.
    private func attachment(_ isES: Bool) -> GLenum? {
        func exists(_ buffer: GLenum) -> Bool {
            buffer != GLenum(GL_NONE) && Self.ask(buffer, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) != GL_NONE
        }
        // In OpenGL ES, a shader's first output can go only to the first attachment.
        let first = GLenum(GL_COLOR_ATTACHMENT0)
        if isES { return exists(first) ? first : nil }
        for index in 0..<count where exists(names[index]) { return names[index] }
        for buffer in first..<first + GLenum(count) where exists(buffer) { return buffer }
        return nil
    }

    private static func ask(_ attachment: GLenum, _ parameter: Int32) -> GLint {
        var value: GLint = 0
        epoxy_glGetFramebufferAttachmentParameteriv(
            GLenum(GL_DRAW_FRAMEBUFFER), attachment, GLenum(parameter), &value)
        return value
    }

    /// Throws if a buffer does not keep colours as they are drawn.
    private static func check(_ framebuffer: GLuint, _ buffer: GLenum, _ context: GLContext) throws(GLError) {
        let numbers = ask(buffer, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE)
        if numbers == GL_INT || numbers == GL_UNSIGNED_INT {
            throw GLError(
                .framebuffer,
                "The framebuffer \(framebuffer) has integers (\(integerFormat(buffer, isSigned: numbers == GL_INT))), in which "
                    + "OpenGL draws no colours: attach a texture of GL_RGBA8, for example.")
        }
        if !context.tables.writesSRGBAsIs,
            ask(buffer, GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) == GL_SRGB
        {
            throw GLError(
                .framebuffer,
                "The framebuffer \(framebuffer) encodes colours (GL_SRGB8_ALPHA8), which this OpenGL ES cannot switch off: "
                    + "attach a texture of GL_RGBA8.")
        }
    }

    /// OpenGL's name of the format of an attachment of integers.
    private static func integerFormat(_ attachment: GLenum, isSigned: Bool) -> String {
        let sizes = [
            GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE,
            GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE, GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE,
        ].map { ask(attachment, $0) }
        if sizes == [10, 10, 10, 2] { return "GL_RGB10_A2UI" }
        let letters = zip("RGBA", sizes).filter { $0.1 > 0 }.map { String($0.0) }.joined()
        return "GL_\(letters)\(sizes[0])\(isSigned ? "I" : "UI")"
    }

    private static func problem(_ framebuffer: GLuint, _ status: GLenum) -> String {
        if status == GLenum(GL_FRAMEBUFFER_UNDEFINED) {
            return "The context has no default framebuffer (0): make a framebuffer, and pass its name."
        }
        let reason =
            switch Int32(status) {
            case GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT: "an attachment has no image, or one that cannot be drawn into"
            case GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT: "nothing is attached to it"
            case GL_FRAMEBUFFER_INCOMPLETE_DRAW_BUFFER: "a draw buffer has no attachment"
            case GL_FRAMEBUFFER_INCOMPLETE_READ_BUFFER: "the read buffer has no attachment"
            case GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE: "its attachments differ in the number of samples"
            case GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS: "its attachments differ in whether they have layers"
            case GL_FRAMEBUFFER_UNSUPPORTED: "the driver cannot draw into this combination of formats"
            default: "status 0x\(String(status, radix: 16))"
            }
        return "The framebuffer \(framebuffer) is incomplete: \(reason)."
    }
}

@preconcurrency import CVitrailEpoxy

/// An OpenGL 3.3 core context, whoever made it.
///
/// Not `Sendable`: the context and all objects that store it stay on the thread where it is current. Every object keeps
/// its context alive, so the order in which they are let go does not matter.
///
/// **Thread:** render thread.
public final class GLContext {
    /// What the driver says of itself.
    public let information: GLInformation
    /// How many textures are alive, for statistics and tests.
    public internal(set) var textureCount = 0
    private let owner: AnyObject
    private let isCurrent: () -> Bool
    private let makeCurrent: () -> Bool
    private var debugLog: DebugLog?
    /// Objects whose owners went while another context was current.
    private var orphans: [(kind: ObjectKind, name: UInt32)] = []

    /// Takes over a context and makes it current.
    ///
    /// - Parameters:
    ///   - owner: what keeps the context alive; it destroys the context when it is let go.
    ///   - isCurrent: whether the context is current on the calling thread; called every frame.
    ///   - makeCurrent: makes the context current on the calling thread; false when that failed.
    ///   - takesMessages: whether the driver's messages of a debug context come here; not for a context that a host made,
    ///     who may want them, and only where nobody but `owner` keeps the context.
    /// - Throws: ``GLError/Code/notCurrent``, or ``GLError/Code/version`` below 3.3.
    public init(
        owner: AnyObject, isCurrent: @escaping () -> Bool, makeCurrent: @escaping () -> Bool,
        takesMessages: Bool = false
    ) throws(GLError) {
        guard makeCurrent() else {
            throw GLError(.notCurrent, "The new OpenGL context cannot be made current: the driver refused.")
        }
        self.owner = owner
        self.isCurrent = isCurrent
        self.makeCurrent = makeCurrent
        self.information = try GLInformation()
        guard takesMessages else { return }
        var flags: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_CONTEXT_FLAGS), &flags)
        if flags & GLint(GL_CONTEXT_FLAG_DEBUG_BIT) != 0, epoxy_has_gl_extension("GL_KHR_debug") {
            debugLog = DebugLog()
        }
    }

    deinit {
        // The driver must not call into a log that is gone. Where another context is current, nobody calls this one any more:
        // it goes with its owner.
        if debugLog != nil, isCurrent() { epoxy_glDebugMessageCallback(nil, nil) }
    }

    /// Makes the context current on this thread unless it is already.
    ///
    /// **Cost:** every frame; a comparison when it is current.
    /// - Throws: ``GLError/Code/notCurrent``.
    public func use() throws(GLError) {
        guard isCurrent() || makeCurrent() else {
            throw GLError(
                .notCurrent, "The OpenGL context cannot be made current: it is lost, or in use on another thread.")
        }
        guard !orphans.isEmpty else { return }
        for (kind, name) in orphans { kind.delete(name) }
        orphans.removeAll()
    }

    /// What a destructor deletes.
    enum ObjectKind {
        case texture, sampler, framebuffer, vertexArray, shader, program

        func delete(_ name: GLuint) {
            var name = name
            switch self {
            case .texture: epoxy_glDeleteTextures(1, &name)
            case .sampler: epoxy_glDeleteSamplers(1, &name)
            case .framebuffer: epoxy_glDeleteFramebuffers(1, &name)
            case .vertexArray: epoxy_glDeleteVertexArrays(1, &name)
            case .shader: epoxy_glDeleteShader(name)
            case .program: epoxy_glDeleteProgram(name)
            }
        }
    }

    /// Deletes an object, at once where the context is current, else when it is used next.
    ///
    /// A destructor may run at any time, and whoever draws then does not expect another context to become current. What is
    /// left goes with the context.
    func delete(_ kind: ObjectKind, _ name: GLuint) {
        if isCurrent() { kind.delete(name) } else { orphans.append((kind, name)) }
    }

    /// Throws what the driver has reported since the last check: in its own words where the context is a debug one,
    /// by number otherwise.
    ///
    /// - Parameter action: what was being done, for the sentence "… failed".
    /// - Throws: ``GLError/Code/driver``.
    public func check(_ action: @autoclosure () -> String) throws(GLError) {
        let number = epoxy_glGetError()
        let words = debugLog?.take() ?? []
        guard number != GLenum(GL_NO_ERROR) || !words.isEmpty else { return }
        let cause = words.isEmpty ? "OpenGL error 0x\(String(number, radix: 16))" : words.joined(separator: "; ")
        throw GLError(.driver, "\(action()) failed: \(cause).", underlying: number)
    }

    /// Forgets the errors that are pending: they were told in a better way, or belong to somebody else.
    public func forgetErrors() {
        // Several can be pending, one of each kind; a context that is lost never stops reporting.
        var count = 0
        while epoxy_glGetError() != GLenum(GL_NO_ERROR), count < 16 { count += 1 }
        _ = debugLog?.take()
    }

    /// Stops debug builds in which a call would go to another context, or to none.
    func assertCurrent() {
        assert(isCurrent(), "OpenGL is called while another context is current: call use() on this one first.")
    }

    /// Waits until the GPU has done everything.
    ///
    /// For measurements and before memory is reclaimed.
    public func finish() { epoxy_glFinish() }
}

/// Errors that the driver put into words (KHR_debug).
private final class DebugLog {
    private var messages: [String] = []

    init() {
        epoxy_glEnable(GLenum(GL_DEBUG_OUTPUT))
        // Synchronous: the callback runs on the render thread, inside the call that is wrong.
        epoxy_glEnable(GLenum(GL_DEBUG_OUTPUT_SYNCHRONOUS))
        epoxy_glDebugMessageCallback(
            { _, type, _, _, length, text, log in
                guard type == GLenum(GL_DEBUG_TYPE_ERROR), let text, let log else { return }
                let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
                let message = String(decoding: bytes, as: UTF8.self)
                Unmanaged<DebugLog>.fromOpaque(log).takeUnretainedValue().messages.append(message)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func take() -> [String] {
        defer { messages.removeAll() }
        return messages
    }
}

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

    /// Takes over a context and makes it current.
    ///
    /// - Parameters:
    ///   - owner: what keeps the context alive; it destroys the context when it is let go.
    ///   - isCurrent: whether the context is current on the calling thread; called every frame.
    ///   - makeCurrent: makes the context current on the calling thread; false when that failed.
    /// - Throws: ``GLError/Code/notCurrent``, or ``GLError/Code/version`` below 3.3.
    public init(
        owner: AnyObject, isCurrent: @escaping () -> Bool, makeCurrent: @escaping () -> Bool
    ) throws(GLError) {
        guard makeCurrent() else {
            throw GLError(.notCurrent, "The new OpenGL context cannot be made current: the driver refused.")
        }
        self.owner = owner
        self.isCurrent = isCurrent
        self.makeCurrent = makeCurrent
        self.information = try GLInformation()
        var flags: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_CONTEXT_FLAGS), &flags)
        if flags & GLint(GL_CONTEXT_FLAG_DEBUG_BIT) != 0, epoxy_has_gl_extension("GL_KHR_debug") {
            debugLog = DebugLog()
        }
    }

    deinit {
        // The driver must not call into a log that is gone.
        if debugLog != nil, isCurrent() || makeCurrent() { epoxy_glDebugMessageCallback(nil, nil) }
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
    }

    /// Makes the context current for a destructor, which has nobody to tell of a failure: a context that is lost has
    /// taken its objects with it.
    func useForDeletion() -> Bool { isCurrent() || makeCurrent() }

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

    /// Lets what was reported go, because it has been told in a better way.
    func forgetErrors() {
        _ = epoxy_glGetError()
        _ = debugLog?.take()
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

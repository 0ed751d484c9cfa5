@preconcurrency import CVitrailEpoxy
import Synchronization

/// An OpenGL 3.3 core or OpenGL ES 3.0 context, made by any library.
///
/// Not `Sendable`: the context and all objects that store it stay on the thread where it is current. Every object keeps
/// its context alive, so the order in which they are released does not matter.
///
/// **Thread:** render thread.
public final class GLContext {
    /// The description of the driver.
    public let information: GLInformation
    /// The contexts that share textures with this one.
    public let shareGroup: ShareGroup
    /// The number of live textures, for statistics and tests.
    public var textureCount: Int { textures.load(ordering: .relaxed) }
    /// Atomic, because the last reference to a texture may be released on any thread.
    let textures = Atomic(0)
    /// The driver state that drawing depends on.
    let tables: StateTables
    private let owner: AnyObject
    private let current: CurrentContext
    private let makeCurrent: (() -> Void)?
    private var debugLog: DebugLog?
    /// Objects that the group does not share, whose owners were released while another context was current.
    private let orphans = Orphans()
    private var wasReset = false
    /// A query of the context, to see whether conditional rendering is active; 0 until it is made.
    private var query: GLuint = 0

    /// Takes ownership of the context that is current on the calling thread.
    ///
    /// - Parameters:
    ///   - owner: keeps the context alive, and destroys it when it is released; on any thread, because frames in memory
    ///     of the context retain it, too.
    ///   - makeCurrent: makes the context current on the calling thread, for libraries that keep track of it; by
    ///     default, EGL or GLX is called with the present surface.
    ///   - shareGroup: the same for all contexts that share textures; `nil` for a new one, which makes contexts through
    ///     EGL or GLX.
    ///   - takesMessages: whether to receive the driver's messages of a debug context. Only for a context that `owner`
    ///     alone keeps: a host may want its messages itself.
    /// - Throws: ``GLError/Code/notCurrent``, or ``GLError/Code/version`` below 3.3.
    public init(
        owner: AnyObject, makeCurrent: (() -> Void)? = nil, shareGroup: ShareGroup? = nil, takesMessages: Bool = false
    ) throws(GLError) {
        let current = CurrentContext()
        guard current.exists else {
            throw GLError(
                .notCurrent,
                "No OpenGL context is current on this thread: call this where the host draws, or make one current.")
        }
        (self.owner, self.current, self.makeCurrent) = (owner, current, makeCurrent)
        let information = try GLInformation()
        self.information = information
        tables = StateTables(isES: information.isES, version: epoxy_gl_version())
        self.shareGroup = shareGroup ?? ShareGroup(sharingWith: current, information, keeping: owner)
        guard takesMessages, epoxy_gl_version() >= 32 else { return }
        var flags: GLint = 0
        epoxy_glGetIntegerv(GLenum(GL_CONTEXT_FLAGS), &flags)
        if flags & GLint(GL_CONTEXT_FLAG_DEBUG_BIT) != 0, epoxy_has_gl_extension("GL_KHR_debug") {
            debugLog = DebugLog()
        }
    }

    deinit {
        // The driver must not call a log that is freed. If another context is current, there are no more calls for this
        // one, which is destroyed with its owner.
        guard current.isCurrent else { return }
        if debugLog != nil { epoxy_glDebugMessageCallback(nil, nil) }
        if query != 0 { epoxy_glDeleteQueries(1, &query) }
    }

    /// A query for conditional rendering to depend on, made at first use.
    ///
    /// `nil` if a sample query of the host is active at that time, because a second one cannot be begun.
    func conditionProbe() -> GLuint? {
        guard query == 0 else { return query }
        epoxy_glGenQueries(1, &query)
        // A name becomes a query when it is begun.
        epoxy_glBeginQuery(GLenum(GL_ANY_SAMPLES_PASSED), query)
        guard epoxy_glGetError() == GLenum(GL_NO_ERROR) else {
            clearErrors()
            epoxy_glDeleteQueries(1, &query)
            query = 0
            return nil
        }
        epoxy_glEndQuery(GLenum(GL_ANY_SAMPLES_PASSED))
        return query
    }

    /// Makes the context current on this thread unless it is already.
    ///
    /// **Cost:** every frame; a comparison if it is current.
    /// - Throws: ``GLError/Code/notCurrent``.
    public func use() throws(GLError) {
        if !current.isCurrent {
            if let makeCurrent { makeCurrent() } else { current.restore() }
            guard current.isCurrent else {
                throw GLError(
                    .notCurrent, "The OpenGL context cannot be made current: it is lost, or current on another thread.")
            }
        }
        orphans.deleteAll()
        shareGroup.orphans.deleteAll()
    }

    /// The kind of an OpenGL object to delete.
    enum ObjectKind {
        case texture, sampler, framebuffer, vertexArray, shader, program, query, buffer, fence

        /// Whether objects of this kind are shared by all contexts of a group, and so outlive each single one.
        var isShared: Bool { ![.framebuffer, .vertexArray, .query].contains(self) }

        /// Deletes an object by its name, or a fence by its address.
        func delete(_ number: UInt) {
            guard self != .fence else { return epoxy_glDeleteSync(GLsync(bitPattern: number)) }
            var name = GLuint(truncatingIfNeeded: number)
            switch self {
            case .texture: epoxy_glDeleteTextures(1, &name)
            case .sampler: epoxy_glDeleteSamplers(1, &name)
            case .framebuffer: epoxy_glDeleteFramebuffers(1, &name)
            case .vertexArray: epoxy_glDeleteVertexArrays(1, &name)
            case .query: epoxy_glDeleteQueries(1, &name)
            case .buffer: epoxy_glDeleteBuffers(1, &name)
            case .shader: epoxy_glDeleteShader(name)
            case .program: epoxy_glDeleteProgram(name)
            case .fence: break
            }
        }
    }

    /// Deletes an object: immediately if the context is current, else when it or one of its group is used next.
    ///
    /// A destructor may run at any time, so it must not make a context current: somebody may be drawing. Objects that
    /// remain are destroyed with their contexts.
    ///
    /// **Thread:** any.
    func delete(_ kind: ObjectKind, _ name: GLuint) { delete(kind, UInt(name)) }

    /// Deletes a fence in the same way.
    func delete(_ sync: GLsync) { delete(.fence, UInt(bitPattern: sync)) }

    private func delete(_ kind: ObjectKind, _ number: UInt) {
        if current.isCurrent {
            kind.delete(number)
        } else {
            (kind.isShared ? shareGroup.orphans : orphans).add(kind, number)
        }
    }

    /// Whether the driver has reset the GPU, for example because a shader took too long: the context and all its
    /// objects are lost, and another one must be made.
    ///
    /// Only contexts that were created to notice resets do; `HeadlessContext` and `Window` make such contexts where the
    /// driver supports them.
    ///
    /// **Cost:** every frame; a call of the driver.
    public var isLost: Bool {
        guard information.noticesResets, !wasReset else { return wasReset }
        // The driver says so only until the reset is complete.
        wasReset = epoxy_glGetGraphicsResetStatus() != GLenum(GL_NO_ERROR)
        return wasReset
    }

    /// Throws if the driver has reported an error since the last check: with its message in a debug context, else with
    /// the error number.
    ///
    /// - Parameter action: the action that was checked, for the sentence "… failed".
    /// - Throws: ``GLError/Code/driver``.
    public func check(_ action: @autoclosure () -> String) throws(GLError) {
        let number = epoxy_glGetError()
        let words = debugLog?.take() ?? []
        guard number != GLenum(GL_NO_ERROR) || !words.isEmpty else { return }
        let cause = words.isEmpty ? "OpenGL error 0x\(String(number, radix: 16))" : words.joined(separator: "; ")
        throw GLError(.driver, "\(action()) failed: \(cause).", underlying: number)
    }

    /// Clears pending errors, which were reported in a better way or belong to other code.
    public func clearErrors() {
        // Several can be pending, one of each kind; a lost context never stops reporting.
        var count = 0
        while epoxy_glGetError() != GLenum(GL_NO_ERROR), count < 16 { count += 1 }
        _ = debugLog?.take()
    }

    /// Asserts in debug builds that this context is current.
    func assertCurrent() {
        assert(current.isCurrent, "OpenGL is called while this context is not current: call use() first.")
    }

    /// Waits until the GPU has finished.
    ///
    /// It is for measurements, and before memory is reclaimed.
    public func finish() { epoxy_glFinish() }
}

/// Objects to delete as soon as a context that has them is current.
///
/// **Thread:** any.
final class Orphans: Sendable {
    private let objects = Mutex<[(kind: GLContext.ObjectKind, number: UInt)]>([])

    func add(_ kind: GLContext.ObjectKind, _ number: UInt) { objects.withLock { $0.append((kind, number)) } }

    func deleteAll() {
        let all = objects.withLock { objects in
            defer { if !objects.isEmpty { objects = [] } }
            return objects
        }
        for index in all.indices { all[index].kind.delete(all[index].number) }
    }
}

/// The driver's error messages (KHR_debug).
private final class DebugLog {
    private var messages: [String] = []

    init() {
        epoxy_glEnable(GLenum(GL_DEBUG_OUTPUT))
        // Synchronous: the callback runs on the render thread, inside the faulty call.
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

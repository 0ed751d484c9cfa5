@preconcurrency import CVitrailEpoxy

extension GLContext {
    /// Wraps the context that is current on the calling thread and belongs to a host: SDL, GTK, Qt, or a program of one's own.
    ///
    ///     let context = try GLContext.current()  // In the handler of GtkGLArea's signal "realize", for example.
    ///     let renderer = try GLRenderer(context: context, restoresState: true)
    ///
    /// The host keeps the context, and makes it current before it draws; a call that finds another one current makes this one
    /// current with the surface that it had here. Contexts made by ``ShareGroup/makeContext()`` of a context of EGL share
    /// textures with it.
    ///
    /// **Cost:** rare.
    /// - Parameter group: the contexts that share with it, if the host has others that do; all must get the same one.
    /// - Returns: the context; the host must destroy it only after everything that was made with it is released.
    /// - Throws: ``GLError/Code/notCurrent`` if there is none; ``GLError/Code/version`` if it is too old.
    public static func current(in group: ShareGroup? = nil) throws(GLError) -> GLContext {
        let host = CurrentContext()
        guard host.exists else {
            throw GLError(
                .notCurrent,
                "No OpenGL context is current on this thread: call this where the host draws, or make one current.")
        }
        let own = host.eglContext.map { host in
            nonisolated(unsafe) let (display, context) = host
            return ShareGroup { group throws(GLError) in try SharedContext(display, context).wrapped(in: group) }
        }
        return try GLContext(
            owner: Host(), isCurrent: { host.isCurrent },
            makeCurrent: {
                if !host.isCurrent { host.restore() }
                return host.isCurrent
            }, shareGroup: group ?? own ?? ShareGroup())
    }

    /// Nothing: the host keeps its context.
    private final class Host {}
}

/// A context of EGL that shares with another one, without a surface.
private final class SharedContext {
    private let display: EGLDisplay
    private let handle: EGLContext

    init(_ display: EGLDisplay, _ other: EGLContext) throws(GLError) {
        func attribute(_ name: Int32) -> EGLint {
            var value: EGLint = 0
            _ = epoxy_eglQueryContext(display, other, name, &value)
            return value
        }
        let api = EGLenum(attribute(EGL_CONTEXT_CLIENT_TYPE))
        var config: EGLConfig?
        var count: EGLint = 0
        let id = attribute(EGL_CONFIG_ID)
        if id != 0 { _ = epoxy_eglChooseConfig(display, [EGL_CONFIG_ID, id, EGL_NONE], &config, 1, &count) }
        let previous = CurrentContext()
        defer { previous.restore() }
        _ = epoxy_eglBindAPI(api)
        let version = api == EGLenum(EGL_OPENGL_API) ? [3, 3] : [3, 0] as [EGLint]
        let attributes: [EGLint] = [
            EGL_CONTEXT_MAJOR_VERSION, version[0], EGL_CONTEXT_MINOR_VERSION, version[1],
        ]
        // Contexts that share must treat resets alike, and EGL does not tell how the other one does.
        let strategy = [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET]
        guard
            let handle = epoxy_eglCreateContext(display, config, other, attributes + [EGL_NONE])
                ?? epoxy_eglCreateContext(display, config, other, attributes + strategy + [EGL_NONE])
        else {
            let code = String(epoxy_eglGetError(), radix: 16)
            throw GLError(
                .notShared, "EGL makes no context that shares with the host's (error 0x\(code)): make it in the host.")
        }
        (self.display, self.handle) = (display, handle)
    }

    deinit {
        _ = epoxy_eglDestroyContext(display, handle)
    }

    func wrapped(in group: ShareGroup) throws(GLError) -> GLContext {
        let (display, handle) = (display, handle)
        return try GLContext(
            owner: self, isCurrent: { epoxy_eglGetCurrentContext() == handle },
            makeCurrent: {
                CurrentContext.releaseGLX()
                return epoxy_eglMakeCurrent(display, vitrail_epoxy_no_surface, vitrail_epoxy_no_surface, handle) != 0
            }, shareGroup: group)
    }
}

@preconcurrency import CVitrailEpoxy

/// An EGL context that shares with another one, without a surface.
final class EGLSharedContext {
    private let display: EGLDisplay
    private let handle: EGLContext
    /// The API of the context, which must be bound on a thread before EGL is asked.
    private let api: EGLenum

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - display: the other context's display.
    ///   - other: the context to share with.
    ///   - noticesResets: whether that context reports resets of the GPU.
    /// - Throws: ``GLError/Code/notShared`` if the driver refuses.
    init(_ display: EGLDisplay, _ other: EGLContext, noticesResets: Bool) throws(GLError) {
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
        var attributes = [EGL_CONTEXT_MAJOR_VERSION, version[0], EGL_CONTEXT_MINOR_VERSION, version[1]]
        // Contexts that share must treat resets alike.
        if noticesResets {
            attributes += [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET]
        }
        guard let handle = epoxy_eglCreateContext(display, config, other, attributes + [EGL_NONE]) else {
            throw GLError(
                .notShared,
                "EGL makes no context that shares with the other one (error 0x\(String(epoxy_eglGetError(), radix: 16)))."
            )
        }
        (self.display, self.handle, self.api) = (display, handle, api)
    }

    deinit {
        if epoxy_eglGetCurrentContext() == handle { CurrentContext.releaseEGL() }
        _ = epoxy_eglDestroyContext(display, handle)
    }

    /// Makes it current on the calling thread and wraps it.
    func wrapped(in group: ShareGroup) throws(GLError) -> GLContext {
        CurrentContext.releaseGLX()
        _ = epoxy_eglBindAPI(api)
        guard epoxy_eglMakeCurrent(display, vitrail_epoxy_no_surface, vitrail_epoxy_no_surface, handle) != 0 else {
            throw .refusedToBeCurrent
        }
        return try GLContext(owner: self, shareGroup: group)
    }
}

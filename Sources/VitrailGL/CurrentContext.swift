@preconcurrency import CVitrailEpoxy
internal import Glibc

/// Remembers the OpenGL context that is current on the calling thread, whoever made it, so that it can be made current
/// again.
///
/// It knows EGL and GLX, the only interfaces that make contexts on Linux.
///
/// **Thread:** any. **Cost:** every frame; some calls that do not reach the GPU.
public struct CurrentContext {
    typealias Handle = GLX.Handle

    /// Whether there is an EGL library, without which its functions must not be called.
    static let hasEGL = dlopen("libEGL.so.1", RTLD_LAZY) != nil

    private typealias EGLState = (display: Handle?, draw: Handle?, read: Handle?, context: Handle?)

    private let api: EGLenum
    private let egl: EGLState
    private let glx: GLX.Current

    /// Notes what is current.
    public init() {
        api = Self.hasEGL ? epoxy_eglQueryAPI() : 0
        egl = Self.hasEGL ? Self.eglState : (nil, nil, nil, nil)
        glx = GLX.loaded?.current ?? .none
    }

    /// Whether the same context is current now, with whatever surface.
    var isCurrent: Bool {
        if let context = glx.context { return GLX.loaded?.context() == context }
        guard let context = egl.context else { return false }
        // EGL keeps a current context for each API (OpenGL, OpenGL ES); this is the one of the API that was bound last.
        return epoxy_eglGetCurrentContext() == context && GLX.loaded?.context() == nil
    }

    /// Whether a context was current.
    var exists: Bool { glx.context != nil || egl.context != nil }

    /// The EGL display and context; `nil` if it is not an EGL context.
    var eglContext: (display: Handle, context: Handle)? {
        guard glx.context == nil, let display = egl.display, let context = egl.context else { return nil }
        return (display, context)
    }

    /// The connection to the X server and the GLX context; `nil` if it is not a GLX context.
    var glxContext: (display: Handle, context: Handle)? {
        guard let display = glx.display, let context = glx.context else { return nil }
        return (display, context)
    }

    /// What a display of EGL can do.
    static func eglExtensions(_ display: Handle) -> Set<String> {
        let text = epoxy_eglQueryString(display, EGL_EXTENSIONS).map { String(cString: $0) } ?? ""
        return Set(text.split(separator: " ").map(String.init))
    }

    /// Releases the current GLX context, if any: until then, libglvnd does not let an EGL context become current.
    public static func releaseGLX() {
        guard let glx = GLX.loaded, glx.context() != nil else { return }
        _ = glx.makeCurrent(glx.display(), 0, 0, nil)
    }

    /// Releases the current EGL context, if any: until then, libglvnd does not let a GLX context become current.
    public static func releaseEGL() {
        guard hasEGL, epoxy_eglGetCurrentContext() != vitrail_epoxy_no_context else { return }
        _ = epoxy_eglMakeCurrent(
            epoxy_eglGetCurrentDisplay(), vitrail_epoxy_no_surface, vitrail_epoxy_no_surface, vitrail_epoxy_no_context)
    }

    /// Makes the context current again, or releases the current one if there was none.
    public func restore() {
        // A thread has one current context: release the other interface's context first.
        if let glx = GLX.loaded { restoreGLX(glx, removing: true) }
        if Self.hasEGL {
            let now = Self.eglState
            if now != egl {
                let display = egl.display ?? now.display
                _ = epoxy_eglBindAPI(api)
                _ = epoxy_eglMakeCurrent(display, egl.draw, egl.read, egl.context)
            }
            _ = epoxy_eglBindAPI(api)
        }
        if let glx = GLX.loaded { restoreGLX(glx, removing: false) }
    }

    private func restoreGLX(_ functions: GLX, removing: Bool) {
        let now = functions.current
        guard now != glx, removing == (glx.context == nil) else { return }
        _ = functions.makeCurrent(glx.display ?? now.display, glx.draw, glx.read, glx.context)
    }

    private static var eglState: EGLState {
        (
            epoxy_eglGetCurrentDisplay(), epoxy_eglGetCurrentSurface(EGL_DRAW),
            epoxy_eglGetCurrentSurface(EGL_READ), epoxy_eglGetCurrentContext()
        )
    }
}

@preconcurrency import CVitrailEpoxy
internal import Glibc

/// The OpenGL context that is current on the calling thread, whoever made it: to make it current again.
///
/// It knows the contexts of EGL and GLX, which are all on Linux.
///
/// **Thread:** both calls on the same one. **Cost:** every frame; some calls that do not reach the GPU.
public struct CurrentContext {
    typealias Handle = UnsafeMutableRawPointer

    /// GLX's functions, without the headers of X11.
    private struct GLX: Sendable {
        let display: @convention(c) () -> Handle?
        let drawable: @convention(c) () -> UInt
        let readDrawable: @convention(c) () -> UInt
        let context: @convention(c) () -> Handle?
        let makeCurrent: @convention(c) (Handle?, UInt, UInt, Handle?) -> Int32
    }

    /// Whether there is an EGL library, without which its functions must not be called.
    static let hasEGL = dlopen("libEGL.so.1", RTLD_LAZY) != nil

    private static let glx: GLX? = {
        let library = dlopen("libGLX.so.0", RTLD_LAZY) ?? dlopen("libGL.so.1", RTLD_LAZY)
        guard let display = dlsym(library, "glXGetCurrentDisplay"),
            let drawable = dlsym(library, "glXGetCurrentDrawable"),
            let readDrawable = dlsym(library, "glXGetCurrentReadDrawable"),
            let context = dlsym(library, "glXGetCurrentContext"),
            let makeCurrent = dlsym(library, "glXMakeContextCurrent")
        else { return nil }
        return GLX(
            display: unsafeBitCast(display, to: (@convention(c) () -> Handle?).self),
            drawable: unsafeBitCast(drawable, to: (@convention(c) () -> UInt).self),
            readDrawable: unsafeBitCast(readDrawable, to: (@convention(c) () -> UInt).self),
            context: unsafeBitCast(context, to: (@convention(c) () -> Handle?).self),
            makeCurrent: unsafeBitCast(
                makeCurrent, to: (@convention(c) (Handle?, UInt, UInt, Handle?) -> Int32).self))
    }()

    private typealias EGLState = (display: Handle?, draw: Handle?, read: Handle?, context: Handle?)

    private let api: EGLenum
    private let egl: EGLState
    private let glx: (display: Handle?, draw: UInt, read: UInt, context: Handle?)

    /// Notes what is current.
    public init() {
        api = Self.hasEGL ? epoxy_eglQueryAPI() : 0
        egl = Self.hasEGL ? Self.eglState : (nil, nil, nil, nil)
        glx = Self.glx.map(Self.state) ?? (nil, 0, 0, nil)
    }

    /// Whether the same context is current now, with whatever surface.
    var isCurrent: Bool {
        if let context = glx.context { return Self.glx?.context() == context }
        guard let context = egl.context else { return false }
        // Each interface of EGL has a current context of its own; that of the last one bound counts.
        return epoxy_eglGetCurrentContext() == context && Self.glx?.context() == nil
    }

    /// Whether there is one.
    var exists: Bool { glx.context != nil || egl.context != nil }

    /// The EGL display and context; `nil` if it is none of EGL's.
    var eglContext: (display: Handle, context: Handle)? {
        guard glx.context == nil, let display = egl.display, let context = egl.context else { return nil }
        return (display, context)
    }

    /// What a display of EGL can do.
    static func eglExtensions(_ display: Handle) -> Set<String> {
        let text = epoxy_eglQueryString(display, EGL_EXTENSIONS).map { String(cString: $0) } ?? ""
        return Set(text.split(separator: " ").map(String.init))
    }

    /// Makes no context of GLX current: libglvnd lets none of EGL be made current before.
    public static func releaseGLX() {
        guard let glx, glx.context() != nil else { return }
        _ = glx.makeCurrent(glx.display(), 0, 0, nil)
    }

    /// Makes it current again; if there was none, none is current afterwards.
    public func restore() {
        // A thread has one context: that of the other interface must go first.
        if let glx = Self.glx { restoreGLX(glx, removing: true) }
        if Self.hasEGL {
            let now = Self.eglState
            if now != egl {
                let display = egl.display ?? now.display
                _ = epoxy_eglBindAPI(api)
                _ = epoxy_eglMakeCurrent(display, egl.draw, egl.read, egl.context)
            }
            _ = epoxy_eglBindAPI(api)
        }
        if let glx = Self.glx { restoreGLX(glx, removing: false) }
    }

    private func restoreGLX(_ functions: GLX, removing: Bool) {
        let now = Self.state(functions)
        guard now != glx, removing == (glx.context == nil) else { return }
        _ = functions.makeCurrent(glx.display ?? now.display, glx.draw, glx.read, glx.context)
    }

    private static var eglState: EGLState {
        (
            epoxy_eglGetCurrentDisplay(), epoxy_eglGetCurrentSurface(EGL_DRAW),
            epoxy_eglGetCurrentSurface(EGL_READ), epoxy_eglGetCurrentContext()
        )
    }

    private static func state(_ glx: GLX) -> (display: Handle?, draw: UInt, read: UInt, context: Handle?) {
        (glx.display(), glx.drawable(), glx.readDrawable(), glx.context())
    }
}

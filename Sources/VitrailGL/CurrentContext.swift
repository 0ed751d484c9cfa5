internal import Glibc

/// The OpenGL context that is current on the calling thread, whoever made it: to make it current again.
///
/// It knows the contexts of EGL and GLX, which are all on Linux.
///
/// **Thread:** both calls on the same one. **Cost:** every frame; some calls that do not reach the GPU.
public struct CurrentContext {
    private typealias Handle = UnsafeMutableRawPointer

    /// EGL's functions, by name.
    private struct EGL: Sendable {
        let queryAPI: @convention(c) () -> UInt32
        let bindAPI: @convention(c) (UInt32) -> UInt32
        let display: @convention(c) () -> Handle?
        let surface: @convention(c) (Int32) -> Handle?
        let context: @convention(c) () -> Handle?
        let makeCurrent: @convention(c) (Handle?, Handle?, Handle?, Handle?) -> UInt32
    }

    /// GLX's functions.
    private struct GLX: Sendable {
        let display: @convention(c) () -> Handle?
        let drawable: @convention(c) () -> UInt
        let readDrawable: @convention(c) () -> UInt
        let context: @convention(c) () -> Handle?
        let makeCurrent: @convention(c) (Handle?, UInt, UInt, Handle?) -> Int32
    }

    private static let egl: EGL? = {
        let library = dlopen("libEGL.so.1", RTLD_LAZY)
        guard let queryAPI = dlsym(library, "eglQueryAPI"), let bindAPI = dlsym(library, "eglBindAPI"),
            let display = dlsym(library, "eglGetCurrentDisplay"), let surface = dlsym(library, "eglGetCurrentSurface"),
            let context = dlsym(library, "eglGetCurrentContext"), let makeCurrent = dlsym(library, "eglMakeCurrent")
        else { return nil }
        return EGL(
            queryAPI: unsafeBitCast(queryAPI, to: (@convention(c) () -> UInt32).self),
            bindAPI: unsafeBitCast(bindAPI, to: (@convention(c) (UInt32) -> UInt32).self),
            display: unsafeBitCast(display, to: (@convention(c) () -> Handle?).self),
            surface: unsafeBitCast(surface, to: (@convention(c) (Int32) -> Handle?).self),
            context: unsafeBitCast(context, to: (@convention(c) () -> Handle?).self),
            makeCurrent: unsafeBitCast(
                makeCurrent, to: (@convention(c) (Handle?, Handle?, Handle?, Handle?) -> UInt32).self))
    }()

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

    private let api: UInt32
    private let eglState: (display: Handle?, draw: Handle?, read: Handle?, context: Handle?)
    private let glxState: (display: Handle?, draw: UInt, read: UInt, context: Handle?)

    /// Notes what is current.
    public init() {
        api = Self.egl?.queryAPI() ?? 0
        eglState = Self.egl.map(Self.state) ?? (nil, nil, nil, nil)
        glxState = Self.glx.map(Self.state) ?? (nil, 0, 0, nil)
    }

    /// Makes it current again; if there was none, none is current afterwards.
    public func restore() {
        // A thread has one context: that of the other interface must go first.
        if let glx = Self.glx { restoreGLX(glx, removing: true) }
        if let egl = Self.egl {
            let now = Self.state(egl)
            if now != eglState {
                let display = eglState.display ?? now.display
                _ = egl.makeCurrent(display, eglState.draw, eglState.read, eglState.context)
            }
            _ = egl.bindAPI(api)
        }
        if let glx = Self.glx { restoreGLX(glx, removing: false) }
    }

    private func restoreGLX(_ glx: GLX, removing: Bool) {
        let now = Self.state(glx)
        guard now != glxState, removing == (glxState.context == nil) else { return }
        _ = glx.makeCurrent(glxState.display ?? now.display, glxState.draw, glxState.read, glxState.context)
    }

    private static func state(_ egl: EGL) -> (display: Handle?, draw: Handle?, read: Handle?, context: Handle?) {
        // EGL_DRAW and EGL_READ
        (egl.display(), egl.surface(0x3059), egl.surface(0x305A), egl.context())
    }

    private static func state(_ glx: GLX) -> (display: Handle?, draw: UInt, read: UInt, context: Handle?) {
        (glx.display(), glx.drawable(), glx.readDrawable(), glx.context())
    }
}

internal import CVitrailGLFW
internal import Dispatch
internal import Glibc
internal import MediaIO
internal import VitrailGL

/// GLFW's window with its context, destroyed with the last reference.
///
/// OpenGL objects retain their context and the context retains this, so it may outlive the ``Window``.
final class NativeWindow {
    let handle: OpaquePointer
    let events = EventCollector()
    /// The shape of the pointer, which the ``Window`` destroys; `nil` for the usual one.
    var pointer: OpaquePointer?
    private let mainThread = pthread_self()

    private init(_ handle: OpaquePointer) {
        self.handle = handle
        events.attach(to: handle)
    }

    deinit {
        guard pthread_equal(mainThread, pthread_self()) == 0 else { return glfwDestroyWindow(handle) }
        // A frame in the context's memory was released last, on another thread. Only the main thread may destroy a
        // window, and until it does, GLFW still calls the event collector.
        let (window, events) = (UInt(bitPattern: handle), UInt(bitPattern: Unmanaged.passRetained(events).toOpaque()))
        DispatchQueue.main.async {
            glfwDestroyWindow(OpaquePointer(bitPattern: window))
            if let events = UnsafeRawPointer(bitPattern: events) {
                Unmanaged<EventCollector>.fromOpaque(events).release()
            }
        }
    }

    /// Makes a hidden window and its context.
    ///
    /// - Throws: ``WindowError/Code/noOpenGL``, listing what was tried.
    static func make(
        _ title: String, _ size: VideoSize, _ options: WindowOptions, on system: WindowSystem
    ) throws(WindowError) -> (NativeWindow, GLContext) {
        // GLX presents faster in software; EGL is for X servers without GLX. On Wayland the native interface is EGL.
        // Small computers may have only OpenGL ES.
        let interfaces: [(name: String, api: Int32, family: GLInterface)] =
            system.isWayland
            ? [("EGL", GLFW_NATIVE_CONTEXT_API, .desktop), ("EGL", GLFW_NATIVE_CONTEXT_API, .embedded)]
            : [
                ("GLX", GLFW_NATIVE_CONTEXT_API, .desktop), ("EGL on X11", GLFW_EGL_CONTEXT_API, .desktop),
                ("EGL on X11", GLFW_EGL_CONTEXT_API, .embedded),
            ]
        var tried: [String] = []
        var number: Int32?
        for (name, api, family) in interfaces {
            let isGLX = !system.isWayland && api == GLFW_NATIVE_CONTEXT_API
            // GLFW knows of its own contexts only.
            let release = { isGLX ? CurrentContext.releaseEGL() : CurrentContext.releaseGLX() }
            release()
            func create(noticesResets: Bool) -> OpaquePointer? {
                setHints(api, family, options)
                if noticesResets { glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET) }
                return glfwCreateWindow(Int32(size.width), Int32(size.height), title, nil, nil)
            }
            // Some drivers cannot tell of resets.
            guard let handle = create(noticesResets: true) ?? create(noticesResets: false) else {
                let words = WindowError.takeWords()
                number = words.number
                tried.append("\(family.name) through \(name): \(words.text)")
                continue
            }
            let native = NativeWindow(handle)
            do throws(GLError) {
                let makeCurrent = {
                    release()
                    glfwMakeContextCurrent(handle)
                }
                makeCurrent()
                return (native, try GLContext(owner: native, makeCurrent: makeCurrent, takesMessages: true))
            } catch {
                tried.append("\(family.name) through \(name): \(error.description)")
            }
        }
        throw WindowError(
            .noOpenGL,
            "No window with OpenGL can be opened (tried \(tried.joined(separator: "; "))). "
                + "Install a driver: libgl1-mesa-dri renders in software.",
            underlying: number)
    }

    private static func setHints(_ api: Int32, _ family: GLInterface, _ options: WindowOptions) {
        glfwDefaultWindowHints()
        let isDesktop = family == .desktop
        let hints = [
            (GLFW_CONTEXT_CREATION_API, api),
            (GLFW_CLIENT_API, isDesktop ? GLFW_OPENGL_API : GLFW_OPENGL_ES_API),
            (GLFW_CONTEXT_VERSION_MAJOR, 3),
            (GLFW_CONTEXT_VERSION_MINOR, isDesktop ? 3 : 0),
            (GLFW_OPENGL_PROFILE, isDesktop ? GLFW_OPENGL_CORE_PROFILE : GLFW_OPENGL_ANY_PROFILE),
            (GLFW_OPENGL_FORWARD_COMPAT, isDesktop ? GLFW_TRUE : GLFW_FALSE),
            (GLFW_OPENGL_DEBUG_CONTEXT, options.isDebug ? GLFW_TRUE : GLFW_FALSE),
            // Shown when it is complete.
            (GLFW_VISIBLE, GLFW_FALSE),
            (GLFW_SCALE_TO_MONITOR, GLFW_TRUE),
            // A wall on one screen stays visible while the user works on another.
            (GLFW_AUTO_ICONIFY, GLFW_FALSE),
            // With alpha a compositor would show the desktop through the window; depth would only use memory.
            (GLFW_ALPHA_BITS, 0),
            (GLFW_DEPTH_BITS, 0),
            (GLFW_STENCIL_BITS, 0),
        ]
        for (hint, value) in hints { glfwWindowHint(hint, value) }
        guard let name = options.applicationID else { return }
        glfwWindowHintString(GLFW_X11_CLASS_NAME, name)
        glfwWindowHintString(GLFW_X11_INSTANCE_NAME, name)
        // Older libraries do not have it, and leave an error.
        glfwWindowHintString(GLFW_WAYLAND_APP_ID, name)
        _ = WindowError.takeWords()
    }
}

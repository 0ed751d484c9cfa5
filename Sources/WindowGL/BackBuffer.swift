internal import CVitrailGLFW
internal import VitrailGL

/// The age of a window's back buffer after presents.
struct BackBuffer {
    private typealias QueryDrawable =
        @convention(c) (OpaquePointer, UInt, Int32, UnsafeMutablePointer<UInt32>) -> Void
    private typealias QuerySurface =
        @convention(c) (OpaquePointer, OpaquePointer, Int32, UnsafeMutablePointer<Int32>) -> UInt32

    private enum Method {
        /// GLX_EXT_buffer_age.
        case glx(QueryDrawable, display: OpaquePointer, drawable: UInt)
        /// EGL_EXT_buffer_age.
        case egl(QuerySurface, display: OpaquePointer, surface: OpaquePointer)
        /// The pixels are kept.
        case pixelsKept
        case unknown

        var age: Int {
            switch self {
            case .glx(let query, let display, let drawable):
                // GLX_BACK_BUFFER_AGE_EXT
                var age: UInt32 = 0
                query(display, drawable, 0x20F4, &age)
                return Int(age)
            case .egl(let query, let display, let surface):
                // EGL_BUFFER_AGE_EXT
                var age: Int32 = 0
                return query(display, surface, 0x313D, &age) != 0 ? max(0, Int(age)) : 0
            case .pixelsKept: return 1
            case .unknown: return 0
            }
        }
    }

    private let method: Method

    /// Chooses a way to learn the buffer's age, and presents a few times to check that the reported ages are right.
    ///
    /// - Parameters:
    ///   - window: the window, whose context must be current.
    ///   - context: that context.
    init(of window: NativeWindow, _ context: GLContext) {
        func isTrue(_ method: Method) -> Bool {
            // After reading pixels, Mesa's software GLX keeps the size of the window until the next swap.
            defer { glfwSwapBuffers(window.handle) }
            return Self.isTrue {
                method.age
            } show: { color in
                context.clear(red: Float(color[0]) / 255, green: Float(color[1]) / 255, blue: Float(color[2]) / 255)
                glfwSwapBuffers(window.handle)
            } content: {
                var pixel = [UInt8](repeating: 0, count: 4)
                pixel.withUnsafeMutableBytes { context.readWindow(width: 1, height: 1, into: $0) }
                return Array(pixel[..<3])
            }
        }
        let found = Self.egl(window.handle) ?? Self.glx(window.handle)
        // A query for the other window system leaves an error in GLFW.
        _ = WindowError.takeWords()
        if let found, isTrue(found) {
            method = found
        } else {
            // Software drivers copy their one picture to the window, but not all of them report it.
            method = context.information.isSoftware && isTrue(.pixelsKept) ? .pixelsKept : .unknown
        }
    }

    /// Whether the reported ages are true, as far as a few presents show.
    ///
    /// - Parameters:
    ///   - age: the age of the back buffer's content.
    ///   - show: fills the back buffer with a colour and presents it.
    ///   - content: the colour of a pixel in the back buffer.
    /// - Returns: whether the back buffer always had the colour of its age.
    static func isTrue(age: () -> Int, show: ([UInt8]) -> Void, content: () -> [UInt8]) -> Bool {
        // Nearly black, so that it is not noticed, and black at the end.
        let colors: [[UInt8]] = [[3, 2, 1], [1, 3, 2], [2, 1, 3], [3, 1, 2], [0, 0, 0]]
        return colors.indices.allSatisfy { index in
            show(colors[index])
            let age = age()
            guard (1...index + 1).contains(age) else { return true }
            return content() == colors[index + 1 - age]
        }
    }

    /// The age of the present content, in presents; 0 if unknown.
    ///
    /// The context must be current: otherwise the X server ends the program.
    var age: Int { method.age }

    private static func egl(_ window: OpaquePointer) -> Method? {
        typealias GetSurface = @convention(c) (OpaquePointer) -> OpaquePointer?
        typealias GetWords = @convention(c) (OpaquePointer, Int32) -> UnsafePointer<CChar>?
        let library = "libEGL.so.1"
        guard let surface = symbol("glfwGetEGLSurface", as: GetSurface.self)?(window),
            let display = symbol("glfwGetEGLDisplay", as: WindowSystem.GetDisplay.self)?(),
            let words = symbol("eglQueryString", in: library, as: GetWords.self),
            // EGL_EXTENSIONS
            has("EGL_EXT_buffer_age", words(display, 0x3055)),
            let query = symbol("eglQuerySurface", in: library, as: QuerySurface.self)
        else { return nil }
        return .egl(query, display: display, surface: surface)
    }

    private static func glx(_ window: OpaquePointer) -> Method? {
        typealias GetDrawable = @convention(c) (OpaquePointer) -> UInt
        typealias GetScreen = @convention(c) (OpaquePointer) -> Int32
        typealias GetWords = @convention(c) (OpaquePointer, Int32) -> UnsafePointer<CChar>?
        let libraries = ("libGLX.so.0", "libGL.so.1")
        guard let drawable = symbol("glfwGetGLXWindow", as: GetDrawable.self)?(window), drawable != 0,
            let display = symbol("glfwGetX11Display", as: WindowSystem.GetDisplay.self)?(),
            let screen = symbol("XDefaultScreen", in: "libX11.so.6", as: GetScreen.self),
            let words = symbol("glXQueryExtensionsString", in: libraries.0, libraries.1, as: GetWords.self),
            has("GLX_EXT_buffer_age", words(display, screen(display))),
            let query = symbol("glXQueryDrawable", in: libraries.0, libraries.1, as: QueryDrawable.self)
        else { return nil }
        return .glx(query, display: display, drawable: drawable)
    }

    private static func has(_ extension: String, _ all: UnsafePointer<CChar>?) -> Bool {
        all.map { String(cString: $0).split(separator: " ").contains { $0 == `extension` } } ?? false
    }
}

internal import Glibc

/// GLX's functions, without the headers of X11: a program that uses Wayland only need not have its libraries.
struct GLX: Sendable {
    typealias Handle = UnsafeMutableRawPointer

    /// `nil` if there is no GLX library.
    static let loaded = GLX()

    let display: @convention(c) () -> Handle?
    let drawable: @convention(c) () -> UInt
    let readDrawable: @convention(c) () -> UInt
    let context: @convention(c) () -> Handle?
    let makeCurrent: @convention(c) (Handle?, UInt, UInt, Handle?) -> Int32
    let find: @convention(c) (UnsafePointer<CChar>) -> Handle?

    private init?() {
        let library = dlopen("libGLX.so.0", RTLD_LAZY) ?? dlopen("libGL.so.1", RTLD_LAZY)
        guard let display = dlsym(library, "glXGetCurrentDisplay"),
            let drawable = dlsym(library, "glXGetCurrentDrawable"),
            let readDrawable = dlsym(library, "glXGetCurrentReadDrawable"),
            let context = dlsym(library, "glXGetCurrentContext"),
            let makeCurrent = dlsym(library, "glXMakeContextCurrent"),
            let find = dlsym(library, "glXGetProcAddressARB")
        else { return nil }
        self.display = unsafeBitCast(display, to: (@convention(c) () -> Handle?).self)
        self.drawable = unsafeBitCast(drawable, to: (@convention(c) () -> UInt).self)
        self.readDrawable = unsafeBitCast(readDrawable, to: (@convention(c) () -> UInt).self)
        self.context = unsafeBitCast(context, to: (@convention(c) () -> Handle?).self)
        self.makeCurrent = unsafeBitCast(
            makeCurrent, to: (@convention(c) (Handle?, UInt, UInt, Handle?) -> Int32).self)
        self.find = unsafeBitCast(find, to: (@convention(c) (UnsafePointer<CChar>) -> Handle?).self)
    }

    /// The context that is current on the calling thread.
    var current: Current { Current(display(), drawable(), readDrawable(), context()) }

    /// A context with what it draws to.
    struct Current: Equatable {
        let display: Handle?
        let draw: UInt
        let read: UInt
        let context: Handle?

        init(_ display: Handle?, _ draw: UInt, _ read: UInt, _ context: Handle?) {
            (self.display, self.draw, self.read, self.context) = (display, draw, read, context)
        }

        static var none: Current { Current(nil, 0, 0, nil) }
    }
}

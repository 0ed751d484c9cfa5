internal import Glibc
internal import Synchronization

/// A GLX context that shares with another one, and a buffer of one pixel to make it current with.
///
/// It uses the other context's connection to the X server, from several threads: libX11 1.8 allows that, and so do
/// older versions after `XInitThreads`, which GLFW, SDL, GTK and Qt call.
final class GLXSharedContext {
    private typealias Handle = GLX.Handle
    private typealias ErrorHandler = @convention(c) (Handle?, Handle?) -> Int32

    /// The functions that only this needs.
    private struct Functions {
        let query: @convention(c) (Handle?, Handle?, Int32, UnsafeMutablePointer<Int32>) -> Int32
        let choose:
            @convention(c) (Handle?, Int32, UnsafePointer<Int32>, UnsafeMutablePointer<Int32>) ->
                UnsafeMutablePointer<Handle?>?
        let create: @convention(c) (Handle?, Handle?, Handle?, Int32, UnsafePointer<Int32>) -> Handle?
        let createBuffer: @convention(c) (Handle?, Handle?, UnsafePointer<Int32>) -> UInt
        let destroyBuffer: @convention(c) (Handle?, UInt) -> Void
        let destroy: @convention(c) (Handle?, Handle?) -> Void
        let free: @convention(c) (Handle?) -> Int32
        let setErrorHandler: @convention(c) (ErrorHandler?) -> ErrorHandler?
        let synchronize: @convention(c) (Handle?, Int32) -> Int32

        init?(_ glx: GLX) {
            let library = dlopen("libX11.so.6", RTLD_LAZY)
            guard let query = glx.find("glXQueryContext"), let choose = glx.find("glXChooseFBConfig"),
                let create = glx.find("glXCreateContextAttribsARB"), let createBuffer = glx.find("glXCreatePbuffer"),
                let destroyBuffer = glx.find("glXDestroyPbuffer"), let destroy = glx.find("glXDestroyContext"),
                let free = dlsym(library, "XFree"), let setErrorHandler = dlsym(library, "XSetErrorHandler"),
                let synchronize = dlsym(library, "XSync")
            else { return nil }
            func cast<Function>(_ address: Handle) -> Function { unsafeBitCast(address, to: Function.self) }
            (self.query, self.choose, self.create) = (cast(query), cast(choose), cast(create))
            (self.createBuffer, self.destroyBuffer) = (cast(createBuffer), cast(destroyBuffer))
            (self.destroy, self.free) = (cast(destroy), cast(free))
            (self.setErrorHandler, self.synchronize) = (cast(setErrorHandler), cast(synchronize))
        }
    }

    // Values of GL/glx.h and of its extensions.
    private static let (screen, configuration) = (Int32(0x800C), Int32(0x8013))
    private static let (bufferHeight, bufferWidth) = (Int32(0x8040), Int32(0x8041))
    private static let (major, minor, flags, profiles) = (Int32(0x2091), Int32(0x2092), Int32(0x2094), Int32(0x9126))
    private static let (coreProfile, embeddedProfile, robustAccess) = (Int32(1), Int32(4), Int32(4))
    private static let (resetStrategy, loseContext) = (Int32(0x8256), Int32(0x8252))

    /// Set by the handler of X errors, which gets no data of ours.
    private static let hasFailed = Atomic(false)

    private let glx: GLX
    private let functions: Functions
    private let display: Handle
    private let handle: Handle
    private let buffer: UInt

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - display: the other context's connection to the X server.
    ///   - other: the context to share with.
    ///   - information: the description of its driver.
    /// - Throws: ``GLError/Code/notShared`` if the driver refuses.
    init(_ display: GLX.Handle, _ other: GLX.Handle, _ information: GLInformation) throws(GLError) {
        guard let glx = GLX.loaded, let functions = Functions(glx) else {
            throw Self.refused("a function is missing")
        }
        func attribute(_ name: Int32) -> Int32 {
            var value: Int32 = 0
            _ = functions.query(display, other, name, &value)
            return value
        }
        var count: Int32 = 0
        let wanted = [Self.configuration, attribute(Self.configuration), 0]
        let configs = functions.choose(display, attribute(Self.screen), wanted, &count)
        defer { if let configs { _ = functions.free(configs) } }
        guard let configs, count > 0 else { throw Self.refused("that one has no configuration") }
        var attributes =
            information.isES
            ? [Self.major, 3, Self.minor, 0, Self.profiles, Self.embeddedProfile]
            : [Self.major, 3, Self.minor, 3, Self.profiles, Self.coreProfile]
        // Contexts that share must treat resets alike.
        if information.noticesResets {
            attributes += [Self.flags, Self.robustAccess, Self.resetStrategy, Self.loseContext]
        }
        // Where the driver refuses, the X server sends an error, which by default ends the program. Errors of earlier
        // requests are somebody else's.
        _ = functions.synchronize(display, 0)
        Self.hasFailed.store(false, ordering: .relaxed)
        let previous = functions.setErrorHandler { _, _ in
            GLXSharedContext.hasFailed.store(true, ordering: .relaxed)
            return 0
        }
        let handle = functions.create(display, configs[0], other, 1, attributes + [0])
        let buffer = functions.createBuffer(display, configs[0], [Self.bufferWidth, 1, Self.bufferHeight, 1, 0])
        _ = functions.synchronize(display, 0)
        defer { _ = functions.setErrorHandler(previous) }
        guard let handle, buffer != 0, !Self.hasFailed.load(ordering: .relaxed) else {
            // Destroy what was created. For anything that was not, the server reports one more error, ignored here.
            if buffer != 0 { functions.destroyBuffer(display, buffer) }
            if let handle { functions.destroy(display, handle) }
            _ = functions.synchronize(display, 0)
            throw Self.refused("the driver made none, or no buffer to make it current with")
        }
        (self.glx, self.functions) = (glx, functions)
        (self.display, self.handle, self.buffer) = (display, handle, buffer)
    }

    deinit {
        if glx.context() == handle { CurrentContext.releaseGLX() }
        functions.destroy(display, handle)
        functions.destroyBuffer(display, buffer)
    }

    private static func refused(_ reason: String) -> GLError {
        GLError(.notShared, "GLX makes no context that shares with the other one: \(reason).")
    }

    /// Makes it current on the calling thread and wraps it.
    func wrapped(in group: ShareGroup) throws(GLError) -> GLContext {
        CurrentContext.releaseEGL()
        guard glx.makeCurrent(display, buffer, buffer, handle) != 0 else { throw .refusedToBeCurrent }
        return try GLContext(owner: self, shareGroup: group)
    }
}

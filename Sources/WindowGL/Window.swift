internal import CVitrailGLFW
public import VitrailGL

/// A window with an OpenGL 3.3 core context, on X11 or on Wayland.
///
/// A hidden window does not wait for vertical sync: drawing may be skipped while ``isVisible`` is false, and otherwise
/// ``present()`` still returns within a few frame durations. Releasing the window closes it.
///
/// **Thread:** the main thread only. Several windows may be open; each has its own context.
public final class Window {
    /// The window's OpenGL context.
    public let context: GLContext
    /// Ends ``waitEvents(timeout:)`` from any thread.
    public let waker: Waker
    private let system: WindowSystem
    private let native: NativeWindow
    private var pacer: FramePacer?
    /// Whether ``pace()`` has waited for the next present.
    private var isPaced = false
    private var placeBeforeFullscreen: (x: Int32, y: Int32, width: Int32, height: Int32)?

    /// Opens a window and makes its context current.
    ///
    /// **Cost:** rare; 20 to 200 ms.
    /// - Parameters:
    ///   - title: the window title.
    ///   - size: the size in desktop units, which on a HiDPI screen are more than one pixel; each side 1 to
    ///     ``PixelSize/maximumSide``.
    ///   - options: the options of the window.
    /// - Throws: ``WindowError``.
    public init(title: String, size: PixelSize, options: WindowOptions = WindowOptions()) throws(WindowError) {
        let sides = 1...PixelSize.maximumSide
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw WindowError(
                .badSize,
                "A window of \(size.width)x\(size.height) is impossible: sides must be 1 to \(PixelSize.maximumSide).")
        }
        self.title = title
        if let waker = options.waker { self.waker = waker } else { self.waker = try Waker() }
        self.system = try WindowSystem()
        (self.native, self.context) = try NativeWindow.make(title, size, isDebug: options.isDebug, on: system)
        self.isVSyncOn = options.isVSyncOn
        applyVSync()
        glfwSetWindowSizeLimits(
            native.handle, Int32(options.minimumSize.width), Int32(options.minimumSize.height), GLFW_DONT_CARE,
            GLFW_DONT_CARE)
        // In this order: GLFW does not show a fullscreen window.
        if options.isVisible { glfwShowWindow(native.handle) }
        isFullscreen = options.isFullscreen
        // Black instead of undefined content. Mesa's software GLX also needs a first swap: before it the driver
        // keeps the size that the window was made with.
        context.clear(red: 0, green: 0, blue: 0)
        glfwSwapBuffers(native.handle)
    }

    deinit {
        // Remaining OpenGL objects retain the native window, which must not stay visible.
        isFullscreen = false
        glfwHideWindow(native.handle)
    }

    // MARK: Showing

    /// Shows what was drawn, after which the content of the back buffer is undefined.
    ///
    /// With ``isVSyncOn`` it usually waits for vertical sync. On Wayland, where waiting for a hidden window would never
    /// end, and with software drivers, which do not wait, it keeps to the screen's rate by the clock instead.
    ///
    /// **Cost:** every frame.
    public func present() {
        pace()
        isPaced = false
        if native.isCurrent || native.makeCurrent() { glfwSwapBuffers(native.handle) }
    }

    /// Waits until it is time for the next ``present()``, if that keeps to the screen's rate by the clock.
    ///
    /// Call it before taking the newest frames, to show the newest ones; without it, ``present()`` waits.
    ///
    /// **Cost:** every frame.
    public func pace() {
        guard !isPaced else { return }
        if let slot = pacer?.slot(now: Clock.now) { Clock.sleep(until: slot) }
        isPaced = true
    }

    /// Whether ``present()`` waits for vertical sync.
    public var isVSyncOn: Bool { didSet { applyVSync() } }

    /// Whether it is open and not minimised, as far as the window system reports it: covered windows count as visible,
    /// and on Wayland minimised ones, too.
    public var isVisible: Bool {
        get { attribute(GLFW_VISIBLE) && !attribute(GLFW_ICONIFIED) }
        set { newValue ? glfwShowWindow(native.handle) : glfwHideWindow(native.handle) }
    }

    private func applyVSync() {
        let canWait = !system.isWayland && !context.information.isSoftware
        // There may be no screen: all are off or unplugged.
        let rate = glfwGetPrimaryMonitor().flatMap { glfwGetVideoMode($0)?.pointee.refreshRate } ?? 0
        pacer = isVSyncOn && !canWait ? FramePacer(refreshRate: rate) : nil
        if native.isCurrent || native.makeCurrent() { glfwSwapInterval(isVSyncOn && canWait ? 1 : 0) }
    }

    // MARK: Events

    /// Takes this window's events without waiting.
    ///
    /// **Cost:** every frame.
    /// - Returns: the events since the last time, oldest first.
    public func pollEvents() -> [WindowEvent] {
        glfwPollEvents()
        return native.events.take()
    }

    /// Waits for events, then takes them.
    ///
    /// Any message of the display server ends the wait, even one for another window, so an empty result does not mean
    /// that the time has passed.
    ///
    /// - Parameter timeout: the longest wait; `nil` for no limit.
    /// - Returns: the events since the last call, oldest first; none if the waker or another window ended the wait.
    public func waitEvents(timeout: Duration? = nil) -> [WindowEvent] {
        let end = timeout.map { Clock.now + $0 }
        glfwPollEvents()
        while native.events.isEmpty, !waker.take() {
            let left = end.map { $0 - Clock.now } ?? .seconds(1)
            guard left > .zero else { break }
            let isAwake = system.sleep(waker, upTo: left)
            glfwPollEvents()
            if isAwake { break }
        }
        // Reset the waker, whatever ended the wait.
        _ = waker.take()
        return native.events.take()
    }

    // MARK: Place

    /// The size of the framebuffer in pixels.
    public var framebufferSize: PixelSize { pair(glfwGetFramebufferSize) }

    /// The width and height in desktop units.
    public var size: PixelSize {
        get { pair(glfwGetWindowSize) }
        set { glfwSetWindowSize(native.handle, Int32(newValue.width), Int32(newValue.height)) }
    }

    /// The desktop's scale factor: 1, or more on a HiDPI screen.
    public var contentScale: Double {
        var (x, y): (Float, Float) = (1, 1)
        glfwGetWindowContentScale(native.handle, &x, &y)
        return Double(max(x, y, 1))
    }

    /// The window title.
    public var title: String { didSet { glfwSetWindowTitle(native.handle, title) } }

    /// Whether it is in fullscreen, on the screen that contains its centre.
    ///
    /// Leaving fullscreen restores the old position. Wayland does not report a window's position, so there it uses the
    /// first screen. Without a screen nothing happens.
    public var isFullscreen: Bool {
        get { glfwGetWindowMonitor(native.handle) != nil }
        set {
            if newValue, !isFullscreen, let monitor = Monitors.monitor(at: middle) {
                placeBeforeFullscreen = place
                let mode = glfwGetVideoMode(monitor)?.pointee ?? GLFWvidmode()
                glfwSetWindowMonitor(native.handle, monitor, 0, 0, mode.width, mode.height, mode.refreshRate)
            } else if !newValue, let place = placeBeforeFullscreen {
                placeBeforeFullscreen = nil
                glfwSetWindowMonitor(native.handle, nil, place.x, place.y, place.width, place.height, 0)
            }
        }
    }

    /// Sets the window's icon, if the desktop supports that (X11).
    ///
    /// - Parameters:
    ///   - rgba: red, green, blue, alpha, 8 bits each, not premultiplied, `width` × `height` × 4 bytes.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    public func setIcon(rgba: [UInt8], width: Int, height: Int) {
        precondition(
            width > 0 && height > 0 && rgba.count == width * height * 4, "An icon must have width × height × 4 bytes.")
        var pixels = rgba
        pixels.withUnsafeMutableBufferPointer { pixels in
            var image = GLFWimage(width: Int32(width), height: Int32(height), pixels: pixels.baseAddress)
            glfwSetWindowIcon(native.handle, 1, &image)
        }
    }

    private var place: (x: Int32, y: Int32, width: Int32, height: Int32) {
        var place: (x: Int32, y: Int32, width: Int32, height: Int32) = (0, 0, 0, 0)
        glfwGetWindowPos(native.handle, &place.x, &place.y)
        glfwGetWindowSize(native.handle, &place.width, &place.height)
        return place
    }

    private var middle: (x: Int32, y: Int32) {
        let place = self.place
        return (place.x + place.width / 2, place.y + place.height / 2)
    }

    private func attribute(_ name: Int32) -> Bool { glfwGetWindowAttrib(native.handle, name) == GLFW_TRUE }

    private func pair(
        _ get: (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> Void
    ) -> PixelSize {
        var (width, height): (Int32, Int32) = (0, 0)
        get(native.handle, &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }
}

internal import CVitrailGLFW
public import VitrailGL

/// A window with an OpenGL 3.3 core context, on X11 or on Wayland.
///
/// When a window cannot be seen, nothing waits for the screen: drawing may be skipped while ``isVisible`` is false, and
/// if it is not skipped, ``present()`` still returns within a few pictures' time. Letting go of the window closes it.
///
/// **Thread:** the main thread only. Several windows may be open; each has its own context.
public final class Window {
    /// Where to draw.
    public let context: GLContext
    /// Ends ``waitEvents(timeout:)`` from any thread.
    public let waker: Waker
    private let system: WindowSystem
    private let native: NativeWindow
    private var pacer: FramePacer?
    /// Whether the time for the next present has been waited for.
    private var isPaced = false
    private var placeBeforeFullscreen: (x: Int32, y: Int32, width: Int32, height: Int32)?

    /// Opens a window and makes its context current.
    ///
    /// **Cost:** rare; 20 to 200 ms.
    /// - Parameters:
    ///   - title: what the desktop shows for it.
    ///   - size: in units of the desktop, which on a HiDPI screen have more than one pixel; 1 to
    ///     ``PixelSize/maximumSide``.
    ///   - options: what it is to be like.
    /// - Throws: ``WindowError``.
    public init(title: String, size: PixelSize, options: WindowOptions = WindowOptions()) throws(WindowError) {
        let sides = 1...PixelSize.maximumSide
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw WindowError(
                .badSize,
                "A window of \(size.width)x\(size.height) is not possible: each side is 1 to \(PixelSize.maximumSide).")
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
        // In this order: GLFW does not show a window that fills a screen.
        if options.isVisible { glfwShowWindow(native.handle) }
        isFullscreen = options.isFullscreen
        // Black instead of what was in the memory. Mesa's software GLX also needs a first swap: before it the driver
        // keeps the size that the window was made with.
        context.clear(red: 0, green: 0, blue: 0)
        glfwSwapBuffers(native.handle)
    }

    deinit {
        // OpenGL objects that live on keep the native window, which the user shall not see any more.
        isFullscreen = false
        glfwHideWindow(native.handle)
    }

    // MARK: Showing

    /// Shows what was drawn, after which the content of the back buffer is undefined.
    ///
    /// With ``isVSyncOn`` it waits, as a rule, for the screen. On Wayland, where waiting for a hidden window would never
    /// end, and with software drivers, which do not wait, it keeps to the screen's rate by the clock instead.
    ///
    /// **Cost:** every frame.
    public func present() {
        pace()
        isPaced = false
        if native.isCurrent || native.makeCurrent() { glfwSwapBuffers(native.handle) }
    }

    /// Waits until it is time for the next ``present()``, where that keeps to the screen's rate by the clock.
    ///
    /// Called before the newest frames are taken, so that what is shown is the newest; without it, ``present()`` waits.
    ///
    /// **Cost:** every frame.
    public func pace() {
        guard !isPaced else { return }
        if let slot = pacer?.slot(now: Clock.now) { Clock.sleep(until: slot) }
        isPaced = true
    }

    /// Whether ``present()`` waits for the screen.
    public var isVSyncOn: Bool { didSet { applyVSync() } }

    /// Whether it is open and not minimised, as far as the window system tells: covered windows count as visible, and
    /// on Wayland minimised ones too.
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

    /// Takes what happened to this window, without waiting.
    ///
    /// **Cost:** every frame.
    /// - Returns: the events since the last time, oldest first.
    public func pollEvents() -> [WindowEvent] {
        glfwPollEvents()
        return native.events.take()
    }

    /// Sleeps until something happens, then takes it.
    ///
    /// Whatever the display server says ends the wait, also if it concerns another window or nobody, so an empty result
    /// does not mean that the time is over.
    ///
    /// - Parameter timeout: how long at most; `nil` is without end.
    /// - Returns: the events since the last time, oldest first; none when the waker or another window ended the wait.
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
        // A waker that was woken has done its work, whatever else ended the wait.
        _ = waker.take()
        return native.events.take()
    }

    // MARK: Place

    /// Pixels to draw.
    public var framebufferSize: PixelSize { pair(glfwGetFramebufferSize) }

    /// Width and height in units of the desktop.
    public var size: PixelSize {
        get { pair(glfwGetWindowSize) }
        set { glfwSetWindowSize(native.handle, Int32(newValue.width), Int32(newValue.height)) }
    }

    /// How much larger than on an ordinary screen the desktop wants things: 1, or more on a HiDPI screen.
    public var contentScale: Double {
        var (x, y): (Float, Float) = (1, 1)
        glfwGetWindowContentScale(native.handle, &x, &y)
        return Double(max(x, y, 1))
    }

    /// What the desktop shows for it.
    public var title: String { didSet { glfwSetWindowTitle(native.handle, title) } }

    /// Whether it fills a screen: the one on which its middle is.
    ///
    /// Turned off, the old place comes back. Wayland keeps a window's place to itself, so there it is the first screen. Without a screen nothing happens.
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

    /// Sets the picture that the desktop shows for it, where the desktop takes one from a window (X11).
    ///
    /// - Parameters:
    ///   - rgba: red, green, blue, alpha, 8 bits each, not premultiplied, `width` × `height` × 4 bytes.
    ///   - width: pixels in a row.
    ///   - height: rows.
    public func setIcon(rgba: [UInt8], width: Int, height: Int) {
        precondition(
            width > 0 && height > 0 && rgba.count == width * height * 4, "An icon is width × height × 4 bytes.")
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

internal import CVitrailGLFW
public import MediaIO
public import VitrailGL

/// A window with an OpenGL 3.3 core context, or else OpenGL ES 3.0, on X11 or on Wayland.
///
/// A hidden window does not wait for vertical sync: drawing may be skipped while ``isVisible`` is false, and otherwise
/// ``present()`` still returns within a few frame durations. Releasing the window closes it.
///
/// **Thread:** the main thread only. Several windows may be open; each has its own context.
public final class Window {
    /// The largest side of a window; X11's protocol ends at twice this.
    public static let maximumSide = 16_384

    /// The window's OpenGL context.
    public let context: GLContext
    /// Ends ``waitEvents(timeout:)`` from any thread.
    public let waker: Waker
    private let system: WindowSystem
    let options: WindowOptions
    let native: NativeWindow
    private var backBuffer: BackBuffer?
    /// `nil` where nothing reports refreshes, and for virtual screens.
    private var refreshEvents: (any RefreshEvents)?
    /// `nil` without vertical sync.
    private var pacer: FramePacer?
    /// When ``pace()`` has waited for the next present.
    private var paced: MonotonicTime?
    /// The number of size changes so far, and the first present after the last one.
    private var resizes = (count: 0, presentCount: 0)
    /// When the desktop was last kept from blanking the screen.
    private var blankingPostponed: MonotonicTime?
    var shownPointer = Pointer.arrow
    var placeBeforeFullscreen: (x: Int32, y: Int32, width: Int32, height: Int32)?

    /// Opens a window and makes its context current.
    ///
    /// **Cost:** rare; 20 to 200 ms.
    /// - Parameters:
    ///   - title: the window title.
    ///   - size: the size in desktop units, which on a HiDPI screen are more than one pixel; each side 1 to
    ///     ``maximumSide``.
    ///   - options: the options of the window.
    /// - Throws: ``WindowError``.
    public init(title: String, size: VideoSize, options: WindowOptions = WindowOptions()) throws(WindowError) {
        let sides = 1...Self.maximumSide
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw WindowError(
                .badSize,
                "A window of \(size) is impossible: sides must be 1 to \(Self.maximumSide).")
        }
        self.title = title
        self.options = options
        if let waker = options.waker { self.waker = waker } else { self.waker = try Waker() }
        self.system = try WindowSystem()
        let screen = try options.screen.map { name throws(WindowError) in try Screens.screen(named: name) }
        (self.native, self.context) = try NativeWindow.make(title, size, options, on: system)
        self.isVSyncOn = options.isVSyncOn
        glfwSetWindowSizeLimits(
            native.handle, Int32(options.minimumSize.width), Int32(options.minimumSize.height), GLFW_DONT_CARE,
            GLFW_DONT_CARE)
        if let screen { center(on: screen) }
        // Show it first: GLFW cannot show a window that is already fullscreen.
        if options.isVisible { glfwShowWindow(native.handle) }
        if options.isFullscreen { fill(screen ?? Screens.screen(at: middle)) }
        // No vertical sync while `BackBuffer` presents its test colours, and from the first swap on: a Wayland compositor
        // that shows nothing, because the screen is locked or off, would keep the second one waiting.
        glfwSwapInterval(0)
        // Black instead of undefined content. Mesa's software GLX also needs a first swap: before it the driver
        // keeps the size that the window was made with.
        context.clear(red: 0, green: 0, blue: 0)
        glfwSwapBuffers(native.handle)
        backBuffer = BackBuffer(of: native, context)
        applyVSync()
    }

    deinit {
        // Remaining OpenGL objects retain the native window, which must not stay visible.
        isFullscreen = false
        setPointer(.arrow)
        glfwHideWindow(native.handle)
    }

    /// The title that the desktop shows.
    public var title: String { didSet { glfwSetWindowTitle(native.handle, title) } }

    // MARK: Showing

    /// Shows what was drawn; ``bufferAge`` is then the age of the new back buffer.
    ///
    /// With ``isVSyncOn`` it usually waits for vertical sync. On Wayland, where waiting for a hidden window would never
    /// end, and with software drivers, which do not wait, it keeps to the screen's rate by the clock instead (see
    /// ``pace()``).
    ///
    /// **Cost:** every frame.
    public func present() {
        if paced == nil { pace() }
        noticeResize()
        guard makesContextCurrent() else { return }
        if pacer != nil { refreshEvents?.request() }
        let drawn = MonotonicTime.now
        glfwSwapBuffers(native.handle)
        presentCount += 1
        if let paced { pacer?.notePicture(drawing: drawn - paced, presenting: .now - drawn) }
        paced = nil
    }

    /// Keeps the desktop from blanking the screen for some time: call it while moving pictures are shown, as often as
    /// they are.
    ///
    /// It tells the X server twice a minute that somebody is there. On Wayland it does nothing: there, GLFW keeps the
    /// screen on while a window fills it.
    ///
    /// **Cost:** every frame.
    public func postponeBlanking() {
        guard blankingPostponed.map({ .now - $0 >= .seconds(30) }) ?? true else { return }
        blankingPostponed = .now
        system.resetScreenSaver()
    }

    /// The number of pictures that ``present()`` has shown.
    public private(set) var presentCount = 0

    /// The age of the back buffer's content in presents: only changes since then must be drawn; 0 if it is unknown and
    /// everything must be drawn.
    ///
    /// The window system reports it (GLX_EXT_buffer_age, EGL_EXT_buffer_age). When the window is opened, a trial shows
    /// whether the reports are true, and whether software drivers that do not report it keep their pixels. A change of
    /// the size counts as a loss of the content.
    ///
    /// Makes the context current. **Cost:** every frame.
    public var bufferAge: Int {
        noticeResize()
        guard let backBuffer, makesContextCurrent() else { return 0 }
        let age = backBuffer.age
        return presentCount - age >= resizes.presentCount ? age : 0
    }

    private func noticeResize() {
        guard native.events.resizeCount != resizes.count else { return }
        // The driver may have noticed the change in the middle of a picture, so the next present does not count yet.
        resizes = (native.events.resizeCount, presentCount + 1)
    }

    /// Waits until it is time to take the newest frames for the next ``present()``.
    ///
    /// With ``isVSyncOn`` that is just before the screen's next refresh, as soon as ``refreshRate`` has been measured.
    /// How long before is learned from the time that pictures take. If this is not called, ``present()`` waits.
    ///
    /// **Cost:** every frame.
    public func pace() {
        while let refresh = refreshEvents?.take() { pacer?.note(refresh: refresh) }
        let now = MonotonicTime.now
        // It was called already, and nothing was presented since.
        if paced != nil, let pacer, now < pacer.next { return }
        pacer?.slot(now: now).sleep()
        paced = .now
    }

    /// The refreshes of the screen per second, measured; `nil` until that has been possible, and for virtual screens.
    ///
    /// The X server's Present extension and a Wayland compositor's frame callbacks report refreshes.
    public var refreshRate: Double? { pacer?.clock?.rate }

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
        pacer = isVSyncOn ? FramePacer(refreshRate: rate, presentsWait: canWait) : nil
        if pacer?.clock != nil, refreshEvents == nil { refreshEvents = makeRefreshEvents() }
        if makesContextCurrent() { glfwSwapInterval(isVSyncOn && canWait ? 1 : 0) }
    }

    /// Reports of the refreshes of this window's screen; `nil` if the window system sends none.
    package func makeRefreshEvents() -> (any RefreshEvents)? {
        // A query for the other window system leaves an error in GLFW.
        defer { _ = WindowError.takeWords() }
        return system.isWayland ? WaylandRefreshEvents(of: native.handle) : X11RefreshEvents(of: native.handle)
    }

    /// Makes the context current on this thread; false if that failed.
    private func makesContextCurrent() -> Bool { (try? context.use()) != nil }

    private func attribute(_ name: Int32) -> Bool { glfwGetWindowAttrib(native.handle, name) == GLFW_TRUE }

    // MARK: Events

    /// Takes this window's events without waiting, and runs the main queue: blocks of `DispatchQueue.main` and tasks of
    /// the main actor.
    ///
    /// **Cost:** every frame.
    /// - Returns: the events since the last time, oldest first.
    public func pollEvents() -> [WindowEvent] {
        glfwPollEvents()
        _ = system.mainQueue.serve()
        return native.events.take()
    }

    /// Sleeps until an event arrives, then takes the events and runs the main queue, like ``pollEvents()``.
    ///
    /// Any message of the display server ends the wait, even one for another window or none, and so does work in the
    /// main queue: an empty result does not mean that the time is over.
    ///
    /// - Parameter timeout: the longest wait; `nil` for no limit.
    /// - Returns: the events since the last time, oldest first; none when the waker, the main queue or another
    ///   window ended the wait.
    public func waitEvents(timeout: Duration? = nil) -> [WindowEvent] {
        let end = timeout.map { MonotonicTime.now + $0 }
        glfwPollEvents()
        var isServed = system.mainQueue.serve()
        while native.events.isEmpty, !isServed, !waker.take() {
            let left = end.map { $0 - .now } ?? .seconds(1)
            guard left > .zero else { break }
            let isAwake = system.sleep(waker, upTo: left)
            glfwPollEvents()
            isServed = system.mainQueue.serve()
            if isAwake { break }
        }
        // Reset the waker, whatever ended the wait.
        _ = waker.take()
        return native.events.take()
    }
}

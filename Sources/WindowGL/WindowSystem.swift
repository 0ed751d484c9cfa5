internal import CVitrailGLFW
internal import Glibc

/// GLFW, initialized, and its display server.
///
/// GLFW's state is global to the process, and never terminated, because that would destroy all other windows.
struct WindowSystem {
    /// Whether the display server is Wayland, which does not report whether a window is visible.
    let isWayland: Bool
    private let x11Display: OpaquePointer?
    /// The descriptor of the connection to the display server, if it can be found.
    private let connection: Int32?
    /// Run by every wait.
    let mainQueue = MainQueue()

    init() throws(WindowError) {
        Self.choosePlatform()
        guard glfwInit() == GLFW_TRUE else { throw Self.noDisplay() }
        // The same program runs with GLFW's X11 library and with its Wayland one, and each lacks the other's functions.
        let waylandDisplay = symbol("glfwGetWaylandDisplay", as: GetDisplay.self)?()
        x11Display = symbol("glfwGetX11Display", as: GetDisplay.self)?()
        isWayland = waylandDisplay != nil
        connection =
            waylandDisplay.flatMap {
                symbol("wl_display_get_fd", in: "libwayland-client.so.0", as: GetDescriptor.self)?($0)
            } ?? x11Display.flatMap { symbol("XConnectionNumber", in: "libX11.so.6", as: GetDescriptor.self)?($0) }
        // A query for the other window system leaves an error in GLFW.
        _ = WindowError.takeWords()
    }

    /// Restarts the X server's idle timer, which blanks the screen or turns it off when it expires.
    func resetScreenSaver() {
        guard let x11Display, let reset = symbol("XResetScreenSaver", in: "libX11.so.6", as: UseDisplay.self) else {
            return
        }
        _ = reset(x11Display)
    }

    /// Sleeps until the display server has a message, the main queue has work, the waker is woken, or the time is over.
    ///
    /// - Returns: whether there may be something to do.
    func sleep(_ waker: Waker, upTo limit: Duration) -> Bool {
        // Never long: on Wayland GLFW repeats held keys by a timer of its own, which cannot be waited for here.
        let milliseconds = min(limit / .milliseconds(1), connection == nil ? 10 : 100).rounded(.up)
        // A descriptor of -1 is ignored.
        var descriptors = [
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mainQueue.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&descriptors, 3, Int32(milliseconds)) > 0
    }

    /// The type of GLFW's functions that return its display connection, or `nil` if it uses the other window system.
    typealias GetDisplay = @convention(c) () -> OpaquePointer?
    private typealias UseDisplay = @convention(c) (OpaquePointer) -> Int32
    private typealias GetDescriptor = @convention(c) (OpaquePointer) -> Int32

    private typealias IsSupported = @convention(c) (Int32) -> Int32

    /// Has a GLFW that is for both window systems, from 3.4 on, use the only one that the environment names.
    ///
    /// By itself it would try Wayland first even if `WAYLAND_DISPLAY` is not set, and libwayland prints an error on
    /// standard error if there is no folder for it. If the environment names both, the session's type decides, or what answers.
    private static func choosePlatform() {
        func isSet(_ variable: String) -> Bool { getenv(variable).map { $0.pointee != 0 } ?? false }
        let namesX11 = isSet("DISPLAY")
        // A name is that of a socket in the folder for the user's sockets, or a path. Without a name, the display is
        // looked for in the folder.
        let isPath = getenv("WAYLAND_DISPLAY").map { $0.pointee == CChar(bitPattern: UInt8(ascii: "/")) } ?? false
        let namesWayland =
            isSet("WAYLAND_SOCKET") || isPath
            || isSet("XDG_RUNTIME_DIR") && (isSet("WAYLAND_DISPLAY") || !namesX11)
        let platform = namesWayland ? GLFW_PLATFORM_WAYLAND : GLFW_PLATFORM_X11
        guard !(namesX11 && namesWayland),
            symbol("glfwPlatformSupported", as: IsSupported.self)?(platform) == GLFW_TRUE
        else { return }
        glfwInitHint(GLFW_PLATFORM, platform)
    }

    private static func noDisplay() -> WindowError {
        let (number, words) = WindowError.takeWords()
        let version = glfwGetVersionString().map { String(cString: $0) } ?? ""
        func describe(_ variable: String) -> String {
            getenv(variable).map { "\(variable) is \(String(cString: $0))" } ?? "\(variable) is not set"
        }
        let isForBoth = version.contains("X11") && version.contains("Wayland")
        let package = version.contains("X11") ? "libglfw3-wayland" : "libglfw3"
        let otherLibrary = isForBoth ? "" : "install \(package) if this GLFW is not for it, "
        return WindowError(
            .noDisplay,
            "No window can be opened: \(words) (GLFW \(version); \(describe("DISPLAY")); \(describe("WAYLAND_DISPLAY"))). "
                + "Start the program in a desktop session, \(otherLibrary)or render without a window.",
            underlying: number)
    }
}

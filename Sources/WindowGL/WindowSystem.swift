internal import CVitrailGLFW
internal import Glibc

/// GLFW, initialized, and its display server.
///
/// GLFW's state is global to the process, and never terminated, because that would destroy all other windows.
struct WindowSystem {
    /// Whether the display server is Wayland, which does not report whether a window is visible.
    let isWayland: Bool
    /// The descriptor of the connection to the display server, if it can be found.
    private let connection: Int32?

    init() throws(WindowError) {
        guard glfwInit() == GLFW_TRUE else { throw Self.noDisplay() }
        // The program runs with GLFW's X11 library or its Wayland library, which have different functions.
        let waylandDisplay = Self.display("glfwGetWaylandDisplay")
        isWayland = waylandDisplay != nil
        connection =
            waylandDisplay.flatMap { Self.descriptor("wl_display_get_fd", "libwayland-client.so.0", $0) }
            ?? Self.display("glfwGetX11Display").flatMap { Self.descriptor("XConnectionNumber", "libX11.so.6", $0) }
        // Querying the other system's display leaves an error behind.
        _ = WindowError.takeWords()
    }

    /// Sleeps until the display server sends a message, the waker is set, or the time has passed.
    ///
    /// - Returns: whether there may be something to do.
    func sleep(_ waker: Waker, upTo limit: Duration) -> Bool {
        // Never long: on Wayland GLFW repeats held keys by a timer of its own, which cannot be waited for here.
        let milliseconds = min(limit / .milliseconds(1), connection == nil ? 10 : 100).rounded(.up)
        // A descriptor of -1 is ignored.
        var descriptors = [
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        return poll(&descriptors, 2, Int32(milliseconds)) > 0
    }

    private typealias GetDisplay = @convention(c) () -> OpaquePointer?
    private typealias GetDescriptor = @convention(c) (OpaquePointer) -> Int32

    private static func display(_ function: String) -> OpaquePointer? {
        // Without a handle, the function is searched in all libraries of the program.
        dlsym(nil, function).flatMap { unsafeBitCast($0, to: GetDisplay.self)() }
    }

    private static func descriptor(_ function: String, _ library: String, _ display: OpaquePointer) -> Int32? {
        // The library is loaded, since there is a display of its kind.
        guard let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD), let address = dlsym(handle, function) else {
            return nil
        }
        return unsafeBitCast(address, to: GetDescriptor.self)(display)
    }

    private static func noDisplay() -> WindowError {
        let (number, words) = WindowError.takeWords()
        let version = glfwGetVersionString().map { String(cString: $0) } ?? ""
        func describe(_ variable: String) -> String {
            getenv(variable).map { "\(variable) is \(String(cString: $0))" } ?? "\(variable) is not set"
        }
        let package = version.contains("X11") ? "libglfw3-wayland" : "libglfw3"
        return WindowError(
            .noDisplay,
            "No window can be opened: \(words) (GLFW \(version); \(describe("DISPLAY")); \(describe("WAYLAND_DISPLAY"))). "
                + "Start the program in a desktop session, install \(package) if this GLFW is not for it, "
                + "or render without a window.",
            underlying: number)
    }
}

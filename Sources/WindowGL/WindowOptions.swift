public import MediaIO

/// The options of a window; the default is an ordinary window with vertical sync.
public struct WindowOptions: Sendable {
    /// The smallest size that the user can choose, in desktop units.
    public var minimumSize = VideoSize(width: 64, height: 64)
    /// Whether it opens in fullscreen.
    public var isFullscreen = false
    /// The screen on which it opens: its name, such as `DP-1`, or its number from 1, from the left to the right and then
    /// downwards; `nil` where the desktop likes.
    ///
    /// On Wayland, only a fullscreen window can choose.
    public var screen: String?
    /// Whether it is visible from the start.
    public var isVisible = true
    /// Whether ``Window/present()`` waits for vertical sync.
    public var isVSyncOn = true
    /// Whether the driver checks every call and describes errors; true in debug builds.
    public var isDebug = Self.isDebugBuild
    /// The name by which the desktop finds the program's entry (`NAME.desktop`) and icon, and groups its windows; `nil`
    /// for the title.
    ///
    /// It becomes the window's class on X11 and the application ID on Wayland, where it needs GLFW 3.4.
    public var applicationID: String?
    /// The waker that ends the window's waits; `nil` makes one, and windows in one loop must share one.
    public var waker: Waker?

    /// Creates the default options.
    public init() {}

    private static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}

/// What a window is to be like; the default is an ordinary window that waits for the screen.
public struct WindowOptions: Sendable {
    /// The user cannot make it smaller than this, in units of the desktop.
    public var minimumSize = PixelSize(width: 64, height: 64)
    /// Whether it fills a screen from the beginning.
    public var isFullscreen = false
    /// Whether it can be seen from the beginning.
    public var isVisible = true
    /// Whether ``Window/present()`` waits for the screen.
    public var isVSyncOn = true
    /// Whether the driver checks every call and puts errors into words; on in debug builds.
    public var isDebug = Self.isDebugBuild
    /// Ends the window's waits; `nil` makes one, and windows that share a loop share one.
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

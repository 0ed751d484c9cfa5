internal import CVitrailGLFW
public import MediaIO
import VitrailSupport

/// A window's size, its place and its icon.
extension Window {
    /// The size of the framebuffer, in pixels.
    public var framebufferSize: VideoSize { pair(glfwGetFramebufferSize) }

    /// The size in desktop units.
    public var size: VideoSize {
        get { pair(glfwGetWindowSize) }
        set { glfwSetWindowSize(native.handle, Int32(newValue.width), Int32(newValue.height)) }
    }

    /// The desktop's scale for content: 1, or more on a HiDPI screen.
    public var contentScale: Double {
        var (x, y): (Float, Float) = (1, 1)
        glfwGetWindowContentScale(native.handle, &x, &y)
        return Double(max(x, y, 1))
    }

    /// Whether the window fills a screen: the one that contains its centre.
    ///
    /// Setting it to false restores the old place. Wayland does not report a window's place, so there the window
    /// fills the first screen. Without a screen, setting it does nothing.
    public var isFullscreen: Bool {
        get { glfwGetWindowMonitor(native.handle) != nil }
        set {
            if newValue, !isFullscreen {
                fill(Screens.screen(at: middle))
            } else if !newValue, let place = placeBeforeFullscreen {
                placeBeforeFullscreen = nil
                glfwSetWindowMonitor(native.handle, nil, place.x, place.y, place.width, place.height, 0)
            }
        }
    }

    /// Fills a screen, if there is one.
    func fill(_ screen: OpaquePointer?) {
        guard let screen else { return }
        placeBeforeFullscreen = place
        let mode = glfwGetVideoMode(screen)?.pointee ?? GLFWvidmode()
        glfwSetWindowMonitor(native.handle, screen, 0, 0, mode.width, mode.height, mode.refreshRate)
    }

    /// Moves the window to the middle of a screen, where the desktop lets it.
    func center(on screen: OpaquePointer) {
        let (corner, place) = (Screens.position(of: screen), place)
        guard let mode = glfwGetVideoMode(screen)?.pointee else { return }
        glfwSetWindowPos(
            native.handle, corner.x + max(0, (mode.width - place.width) / 2),
            corner.y + max(0, (mode.height - place.height) / 2))
        // Wayland does not let windows set their place: clear GLFW's error.
        _ = WindowError.takeWords()
    }

    /// Opens another window like this one in its place, with a new context, for when the driver has lost this one's.
    ///
    /// It has this one's waker. This one closes when it is released. Its icon has to be set again.
    ///
    /// - Throws: ``WindowError``.
    public func reopened() throws(WindowError) -> Window {
        let place = placeBeforeFullscreen ?? self.place
        var options = options
        (options.isFullscreen, options.isVisible, options.isVSyncOn, options.waker) = (false, false, isVSyncOn, waker)
        options.screen = nil
        let size = VideoSize(width: Int(place.width), height: Int(place.height))
        let window = try Window(title: title, size: size, options: options)
        // A new window's size is scaled for its screen, which this one's already is.
        window.size = size
        glfwSetWindowPos(window.native.handle, place.x, place.y)
        // Wayland does not let windows set their place: clear GLFW's error.
        _ = WindowError.takeWords()
        window.isVisible = isVisible
        window.isFullscreen = isFullscreen
        return window
    }

    /// Sets the icon that the desktop shows, if it takes one from the window (X11).
    ///
    /// - Parameters:
    ///   - rgba: red, green, blue, alpha, 8 bits each, not premultiplied, `width` × `height` × 4 bytes.
    ///   - width: pixels in a row.
    ///   - height: rows.
    public func setIcon(rgba: [UInt8], width: Int, height: Int) {
        require(
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

    var middle: (x: Int32, y: Int32) {
        let place = self.place
        return (place.x + place.width / 2, place.y + place.height / 2)
    }

    private func pair(
        _ get: (OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?) -> Void
    ) -> VideoSize {
        var (width, height): (Int32, Int32) = (0, 0)
        get(native.handle, &width, &height)
        return VideoSize(width: Int(width), height: Int(height))
    }
}

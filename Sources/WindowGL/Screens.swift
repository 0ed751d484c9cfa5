internal import CVitrailGLFW

/// The desktop's screens.
enum Screens {
    /// The screen at a point of the desktop; the first one if there is none, `nil` without any screen.
    static func screen(at point: (x: Int32, y: Int32)) -> OpaquePointer? {
        var count: Int32 = 0
        guard let first = glfwGetMonitors(&count) else { return nil }
        let screens = UnsafeBufferPointer(start: first, count: Int(count)).compactMap { $0 }
        return screens.first { contains($0, point) } ?? screens.first
    }

    private static func contains(_ screen: OpaquePointer, _ point: (x: Int32, y: Int32)) -> Bool {
        var (x, y): (Int32, Int32) = (0, 0)
        glfwGetMonitorPos(screen, &x, &y)
        guard let mode = glfwGetVideoMode(screen)?.pointee else { return false }
        return (x..<x + mode.width).contains(point.x) && (y..<y + mode.height).contains(point.y)
    }
}

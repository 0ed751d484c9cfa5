internal import CVitrailGLFW

/// The desktop's screens.
enum Monitors {
    /// The screen at a point of the desktop; the first one if there is none, `nil` without any screen.
    static func monitor(at point: (x: Int32, y: Int32)) -> OpaquePointer? {
        var count: Int32 = 0
        guard let first = glfwGetMonitors(&count) else { return nil }
        let monitors = UnsafeBufferPointer(start: first, count: Int(count)).compactMap { $0 }
        return monitors.first { contains($0, point) } ?? monitors.first
    }

    private static func contains(_ monitor: OpaquePointer, _ point: (x: Int32, y: Int32)) -> Bool {
        var (x, y): (Int32, Int32) = (0, 0)
        glfwGetMonitorPos(monitor, &x, &y)
        guard let mode = glfwGetVideoMode(monitor)?.pointee else { return false }
        return (x..<x + mode.width).contains(point.x) && (y..<y + mode.height).contains(point.y)
    }
}

internal import CVitrailGLFW

/// The desktop's screens.
enum Screens {
    /// The screen at a point of the desktop; the first one if there is none, `nil` without any screen.
    static func screen(at point: (x: Int32, y: Int32)) -> OpaquePointer? {
        all.first { contains($0, point) } ?? all.first
    }

    /// The screen with a name, or a number from 1, from the left to the right and then downwards.
    ///
    /// - Throws: ``WindowError/Code/noScreen``, listing the screens.
    static func screen(named name: String) throws(WindowError) -> OpaquePointer {
        let screens = all.map { ($0, position: position(of: $0)) }.sorted {
            ($0.position.x, $0.position.y) < ($1.position.x, $1.position.y)
        }.map(\.0)
        let names = screens.map { glfwGetMonitorName($0).map { String(cString: $0) } ?? "" }
        if let index = names.firstIndex(of: name) { return screens[index] }
        if let number = Int(name), screens.indices.contains(number - 1) { return screens[number - 1] }
        let list = names.enumerated().map { "\($0.offset + 1) (\($0.element))" }.joined(separator: ", ")
        throw WindowError(
            .noScreen,
            "There is no monitor “\(name)”: \(list.isEmpty ? "all are off or unplugged" : "use one of \(list)").")
    }

    private static var all: [OpaquePointer] {
        var count: Int32 = 0
        guard let first = glfwGetMonitors(&count) else { return [] }
        return UnsafeBufferPointer(start: first, count: Int(count)).compactMap { $0 }
    }

    /// The upper left corner of a screen on the desktop.
    static func position(of screen: OpaquePointer) -> (x: Int32, y: Int32) {
        var (x, y): (Int32, Int32) = (0, 0)
        glfwGetMonitorPos(screen, &x, &y)
        return (x, y)
    }

    private static func contains(_ screen: OpaquePointer, _ point: (x: Int32, y: Int32)) -> Bool {
        let (x, y) = position(of: screen)
        guard let mode = glfwGetVideoMode(screen)?.pointee else { return false }
        return (x..<x + mode.width).contains(point.x) && (y..<y + mode.height).contains(point.y)
    }
}

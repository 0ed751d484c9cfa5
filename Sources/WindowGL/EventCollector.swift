internal import CVitrailGLFW
internal import MediaIO

/// Collects GLFW's callbacks for one window as events, in order.
final class EventCollector {
    private var events: [WindowEvent] = []
    private var clicks = ClickCounter()
    /// Whether the last key event, which the characters of the key follow, was a repetition.
    private var isRepeat = false
    /// The last reported position of the mouse, in desktop units; `nil` before the first report.
    fileprivate var mouse: (x: Double, y: Double)?
    /// Counts the changes of the framebuffer's size.
    private(set) var resizeCount = 0

    /// Whether there are no events.
    var isEmpty: Bool { events.isEmpty }

    /// Takes the events since the last call.
    func take() -> [WindowEvent] {
        guard !events.isEmpty else { return [] }
        defer { events.removeAll() }
        return events
    }

    /// Registers the callbacks; the collector must outlive the window.
    func attach(to window: OpaquePointer) {
        glfwSetWindowUserPointer(window, Unmanaged.passUnretained(self).toOpaque())
        attachInput(window)
        glfwSetFramebufferSizeCallback(window) { window, width, height in
            collector(of: window)?.resized(VideoSize(width: Int(width), height: Int(height)))
        }
        glfwSetWindowCloseCallback(window) { window in
            // The program handles the event instead of the flag.
            glfwSetWindowShouldClose(window, GLFW_FALSE)
            collector(of: window)?.append(.closeRequested)
        }
        glfwSetWindowFocusCallback(window) { collector(of: $0)?.append(.focusChanged($1 == GLFW_TRUE)) }
        glfwSetWindowRefreshCallback(window) { collector(of: $0)?.append(.refreshNeeded) }
        glfwSetWindowIconifyCallback(window) { collector(of: $0)?.append(.iconified($1 == GLFW_TRUE)) }
        glfwSetDropCallback(window) { window, count, paths in
            guard let paths else { return }
            let names = UnsafeBufferPointer(start: paths, count: Int(count)).compactMap { $0 }
            collector(of: window)?.append(.drop(names.map { String(cString: $0) }))
        }
    }

    private func attachInput(_ window: OpaquePointer) {
        glfwSetKeyCallback(window) { window, key, scanCode, action, modifiers in
            guard action != GLFW_RELEASE else { collector(of: window)?.released(); return }
            collector(of: window)?.pressed(
                Key(glfw: key, scanCode: scanCode), KeyModifiers(rawValue: modifiers), isRepeat: action == GLFW_REPEAT)
        }
        glfwSetCharCallback(window) { window, codePoint in
            guard let scalar = UnicodeScalar(codePoint) else { return }
            collector(of: window)?.typed(Character(scalar))
        }
        glfwSetMouseButtonCallback(window) { window, button, action, modifiers in
            guard let window else { return }
            if action == GLFW_PRESS {
                collector(of: window)?.pressed(button, KeyModifiers(rawValue: modifiers), window)
            } else {
                collector(of: window)?.released(button, window)
            }
        }
        glfwSetCursorPosCallback(window) { window, x, y in
            guard let window else { return }
            collector(of: window)?.mouse = (x, y)
            collector(of: window)?.moved(framebufferPosition(window, x, y))
        }
        glfwSetCursorEnterCallback(window) { window, isInside in
            if isInside == GLFW_FALSE { collector(of: window)?.append(.mouseLeft) }
        }
        glfwSetScrollCallback(window) { collector(of: $0)?.append(.scroll(x: $1, y: $2)) }
    }

    fileprivate func append(_ event: WindowEvent) { events.append(event) }

    fileprivate func pressed(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) {
        self.isRepeat = isRepeat
        append(.key(key, modifiers, isRepeat: isRepeat))
    }

    fileprivate func released() { isRepeat = false }

    fileprivate func typed(_ character: Character) { append(.character(character, isRepeat: isRepeat)) }

    fileprivate func resized(_ size: VideoSize) {
        resizeCount += 1
        // While a window is dragged larger only the last size matters, and drawing for each would lag behind.
        if case .resized = events.last { events.removeLast() }
        append(.resized(size))
    }

    fileprivate func moved(_ position: WindowEvent.MousePosition) {
        if case .mouseMoved = events.last { events.removeLast() }
        append(.mouseMoved(position))
    }

    fileprivate func pressed(_ number: Int32, _ modifiers: KeyModifiers, _ window: OpaquePointer) {
        let button = WindowEvent.MouseButton(glfw: number)
        let (x, y) = position(window)
        let count = clicks.press(button, x: x, y: y, time: .now)
        append(.mouseButton(button, framebufferPosition(window, x, y), clicks: count, modifiers))
    }
}

extension EventCollector {
    /// Where the mouse was when a button was used: GLFW's own position may be a later one already.
    fileprivate func position(_ window: OpaquePointer) -> (x: Double, y: Double) {
        if let mouse { return mouse }
        var (x, y) = (0.0, 0.0)
        glfwGetCursorPos(window, &x, &y)
        return (x, y)
    }

    fileprivate func released(_ number: Int32, _ window: OpaquePointer) {
        let (x, y) = position(window)
        clicks.release(x: x, y: y)
        append(.mouseReleased(WindowEvent.MouseButton(glfw: number), framebufferPosition(window, x, y)))
    }
}

extension WindowEvent.MouseButton {
    fileprivate init(glfw number: Int32) {
        self =
            switch number {
            case GLFW_MOUSE_BUTTON_LEFT: .left
            case GLFW_MOUSE_BUTTON_RIGHT: .right
            case GLFW_MOUSE_BUTTON_MIDDLE: .middle
            default: .extra(Int(number) + 1)
            }
    }
}

private func collector(of window: OpaquePointer?) -> EventCollector? {
    glfwGetWindowUserPointer(window).map { Unmanaged<EventCollector>.fromOpaque($0).takeUnretainedValue() }
}

/// Converts a mouse position from desktop units, which may be several pixels, to pixels.
private func framebufferPosition(
    _ window: OpaquePointer, _ x: Double, _ y: Double
) -> WindowEvent.MousePosition {
    var (width, height, pixelWidth, pixelHeight): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    glfwGetWindowSize(window, &width, &height)
    glfwGetFramebufferSize(window, &pixelWidth, &pixelHeight)
    return WindowEvent.MousePosition(
        x: x * Double(pixelWidth) / Double(max(width, 1)), y: y * Double(pixelHeight) / Double(max(height, 1)))
}

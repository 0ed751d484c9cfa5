import TestSupport
import Testing

// Dropping files is not tested here: a drag needs a program to drag from.
@Suite struct WindowInputTests {
    private let display: VirtualDisplay

    init() throws { display = try VirtualDisplay() }

    private func openFocused() throws -> ProbeProcess {
        let probe = try ProbeProcess(on: display)
        try probe.event("focusChanged(true)")
        return probe
    }

    @Test(arguments: [
        ("Escape", "key(WindowGL.Key.escape, WindowGL.KeyModifiers(rawValue: 0), isRepeat: false)"),
        ("f", "key(WindowGL.Key.letter(\"f\"), WindowGL.KeyModifiers(rawValue: 0), isRepeat: false)"),
        ("Left", "key(WindowGL.Key.left, WindowGL.KeyModifiers(rawValue: 0), isRepeat: false)"),
        ("space", "key(WindowGL.Key.space, WindowGL.KeyModifiers(rawValue: 0), isRepeat: false)"),
        ("3", "key(WindowGL.Key.digit(3), WindowGL.KeyModifiers(rawValue: 0), isRepeat: false)"),
        ("F11", "key(WindowGL.Key.function(11), WindowGL.KeyModifiers(rawValue: 0), isRepeat: false)"),
        ("ctrl+q", "key(WindowGL.Key.letter(\"q\"), WindowGL.KeyModifiers(rawValue: 2), isRepeat: false)"),
        ("ctrl+z", "key(WindowGL.Key.letter(\"z\"), WindowGL.KeyModifiers(rawValue: 2), isRepeat: false)"),
        ("q", "character(\"q\", isRepeat: false)"),
        ("shift+a", "character(\"A\", isRepeat: false)"),
    ])
    func keysAreEvents(_ key: String, _ event: String) throws {
        let probe = try openFocused()
        try display.xdotool("key", key)
        try probe.event(event)
    }

    @Test func aHeldKeyRepeatsItsCharacter() throws {
        let probe = try openFocused()
        try display.xdotool("keydown", "q")
        try probe.event("character(\"q\", isRepeat: false)")
        try probe.event("character(\"q\", isRepeat: true)")
        try display.xdotool("keyup", "q")
        try display.xdotool("key", "w")
        try probe.event("character(\"w\", isRepeat: false)")
    }

    @Test func aDoubleClickIsCountedAndPlaced() throws {
        let probe = try openFocused()
        try display.xdotool("mousemove", "50", "60")
        try probe.event("mouseMoved(WindowGL.WindowEvent.MousePosition(x: 50.0, y: 60.0))")
        try display.xdotool("click", "--repeat", "2", "--delay", "10", "1")
        let place =
            "mouseButton(WindowGL.WindowEvent.MouseButton.left, WindowGL.WindowEvent.MousePosition(x: 50.0, y: 60.0)"
        try probe.event("\(place), clicks: 1")
        try probe.event("\(place), clicks: 2")
        try probe.event("mouseReleased(WindowGL.WindowEvent.MouseButton.left")
        try display.xdotool("click", "3")
        try probe.event("mouseButton(WindowGL.WindowEvent.MouseButton.right")
        try display.xdotool("click", "5")
        try probe.event("scroll(x: 0.0, y: -1.0)")
        try display.xdotool("mousemove", "1200", "1000")
        try probe.event("mouseLeft")
    }

    @Test func closingIsARequestThatLeavesTheWindow() throws {
        try display.startWindowManager()
        let probe = try ProbeProcess(on: display)
        let window = try #require(try display.xdotool("search", "--sync", "--name", "^probe$").first)
        // The window manager does not say when it is ready, so it is asked until it answers.
        try probe.process.wait(for: "event 0 closeRequested") {
            try display.xdotool("mousemove", "--window", window, "20", "20")
            try display.xdotool("key", "F4")
        }
        #expect(try probe.state().contains("visible true"))
    }

    @Test func aMinimisedWindowIsToldAndStallsNothing() throws {
        try display.startWindowManager()
        let probe = try ProbeProcess(on: display)
        let window = try #require(try display.xdotool("search", "--sync", "--name", "^probe$").first)
        try probe.process.wait(for: "event 0 iconified(true)") { try display.xdotool("windowminimize", window) }
        #expect(try probe.state().contains("visible false"))
        try probe.run("present 30")
        try probe.run("vsync 0")
        try probe.run("present 1000")
        try probe.process.wait(for: "event 0 iconified(false)") { try display.xdotool("windowmap", window) }
        #expect(try probe.state().contains("visible true"))
    }

    @Test func aHiddenWindowStallsNothing() throws {
        let probe = try ProbeProcess(on: display, "hidden")
        #expect(probe.opened.contains("visible false"))
        try probe.run("present 30")
        try probe.run("visible 1")
        try probe.event("refreshNeeded")
        try probe.run("visible 0")
        try probe.run("present 30")
        #expect(try probe.state().contains("visible false"))
    }
}

import Foundation
import MediaIO
import TestSupport
import Testing

/// The folder with a `libglfw.so.3` for Wayland: that of Debian 12's libglfw3-wayland, which cannot be installed beside
/// libglfw3, or one that is for X11, too.
private let waylandLibrary = ProcessInfo.processInfo.environment["VITRAIL_WAYLAND_GLFW"].flatMap {
    FileManager.default.fileExists(atPath: "\($0)/libglfw.so.3") ? $0 : nil
}

/// The same program on Wayland, where there may be another GLFW library.
@Suite(
    .enabled(
        if: waylandLibrary != nil,
        "`make test` unpacks a libglfw.so.3 for Wayland and names its folder in VITRAIL_WAYLAND_GLFW."))
struct WaylandTests {
    private let compositor: WaylandCompositor
    private var environment: [String: String?] { compositor.environment(library: waylandLibrary) }

    init() throws { compositor = try WaylandCompositor(showsFor: 1) }

    @Test func aWindowNobodySeesStallsNothing() throws {
        let probe = try ProbeProcess(environment: environment)
        // Four seconds by the clock: the compositor has long stopped asking for pictures.
        try probe.run("present 240")
        try probe.run("vsync 0")
        try probe.run("present 1000")
        try probe.run("visible 0")
        try probe.run("present 10")
    }

    @Test func sizesAndFullscreenWork() throws {
        let probe = try ProbeProcess(environment: environment)
        #expect(probe.opened.contains("framebuffer 320x240 size 320x240 scale 1.0 visible true fullscreen false"))
        try probe.run("pattern")
        try probe.run("fullscreen 1")
        try probe.event("resized(1024x768)")
        try probe.run("pattern")
        try probe.run("fullscreen 0")
        try probe.event("resized(320x240)")
        try probe.run("open")
        try probe.run("paint 1 1 2 3")
        try probe.run("close")
        try probe.run("title renamed")
        probe.process.send("quit")
        try probe.process.wait(for: "bye")
        #expect(probe.process.end() == 0)
    }

    @Test func aThreadDrawsTexturesForTheWindow() throws {
        let probe = try ProbeProcess(environment: environment)
        probe.process.send("texture")
        #expect(try probe.process.wait(for: "textures true read true values").hasSuffix(" values 1") == false)
    }

    @Test func theCompositorReportsRefreshes() throws {
        let compositor = try WaylandCompositor(showsFor: 0)
        let probe = try ProbeProcess(environment: compositor.environment(library: waylandLibrary))
        let (distance, age) = try probe.refreshes(50)
        // It says 60 Hz, some versions show 40 pictures per second, and a busy machine misses many.
        #expect((10...200).contains(distance))
        #expect((0..<5000).contains(age))
    }

    @Test(arguments: ["gpu", "cpu"]) func drawingWhatHasChangedGivesTheWholePicture(_ renderer: String) throws {
        let probe = try ProbeProcess(environment: environment)
        #expect(try probe.partial(30, renderer) >= 25)
        try probe.run("size 401 299")
        try probe.event("resized(401x299)")
        #expect((5..<10).contains(try probe.partial(10, renderer)))
    }

    @Test func withoutACompositorTheErrorSaysWhatWasTried() throws {
        var environment = environment
        environment["WAYLAND_DISPLAY"] = "missing"
        let probe = try LineProcess(ProbeProcess.executable, environment: environment)
        let error = try probe.wait(for: "error")
        #expect(error.contains("No window can be opened: Wayland: ") && error.contains("WAYLAND_DISPLAY is missing"))
        #expect(probe.end() == 69)
    }
}

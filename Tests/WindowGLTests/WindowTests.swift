import Glibc
import HeadlessGL
import MediaIO
import TestSupport
import Testing
import TextRaster
import VideoSources
import VideoWall
import WallRendering

@Suite struct WindowTests {
    private let display: VirtualDisplay

    init() throws { display = try VirtualDisplay() }

    @Test func aWindowOpensWithItsSizeAndTitle() throws {
        let probe = try ProbeProcess(on: display)
        #expect(probe.opened.contains("framebuffer 320x240 size 320x240 scale 1.0 visible true fullscreen false"))
        #expect(try display.xdotool("search", "--sync", "--name", "^probe$").count == 1)
        try probe.run("title renamed")
        #expect(try display.xdotool("search", "--sync", "--name", "^renamed$").count == 1)
        #expect(try display.property("WM_CLASS", ofWindow: "renamed").hasSuffix("\"vitrail-probe\", \"vitrail-probe\""))
        try probe.run("icon")
        probe.process.send("quit")
        try probe.process.wait(for: "bye")
        #expect(probe.process.end() == 0)
    }

    @Test func whatIsPresentedIsOnTheScreen() throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        try probe.run("paint 0 10 200 30")
        #expect(try display.screenshot().color(x: 160, y: 120) == [10, 200, 30])
        try probe.run("paint 0 250 0 130")
        let screen = try display.screenshot()
        #expect(screen.color(x: 0, y: 0) == [250, 0, 130] && screen.color(x: 319, y: 239) == [250, 0, 130])
        #expect(screen.color(x: 320, y: 100) == [0, 0, 0])
    }

    @Test(.renderTurn, arguments: [RendererChoice.gpu, .cpu], [false, true])
    func theWindowShowsTheSamePixelsAsTheOffscreenPicture(_ choice: RendererChoice, hasOnlyES: Bool) throws {
        var environment = display.environment
        if hasOnlyES { environment["MESA_GL_VERSION_OVERRIDE"] = "2.1" }
        let probe = try ProbeProcess(environment: environment)
        #expect(probe.opened.contains("OpenGL ES") == hasOnlyES)
        try probe.event("refreshNeeded")
        try probe.run("pattern \(choice)")
        let screen = try display.screenshot()

        let renderer = try ChosenRenderer(choice).renderer
        let wall = Wall(text: TextRasterizer())
        let tile = wall.addTile(named: "pattern")
        tile.label = "label"
        wall.addTile(named: "awaited")
        wall.overlay = "overlay"
        tile.mailbox.put(try TestPatternReader(pattern: .clock, size: VideoSize(width: 160, height: 120)).frame(at: 7))
        let picture = try renderer.makeOffscreenTarget(size: VideoSize(width: 320, height: 240))
        #expect(try renderer.render(wall, into: picture))
        let expected = try picture.readPixels()
        var different = 0
        for y in 0..<240 {
            for x in 0..<320
            where screen.color(x: x, y: y) != Array(expected[(y * 320 + x) * 4..<(y * 320 + x) * 4 + 3]) {
                different += 1
            }
        }
        #expect(different == 0)
        #expect(Set(expected).count > 3, "The picture is too plain to tell anything.")
    }

    /// Contexts for other threads, through GLX and through EGL.
    @Test(arguments: [false, true]) func aThreadDrawsTexturesForTheWindow(hasOnlyES: Bool) throws {
        var environment = display.environment
        if hasOnlyES { environment["MESA_GL_VERSION_OVERRIDE"] = "2.1" }
        let probe = try ProbeProcess(environment: environment)
        probe.process.send("texture")
        #expect(try probe.process.wait(for: "textures true read true values").hasSuffix(" values 1") == false)
        probe.process.send("quit")
        try probe.process.wait(for: "bye")
        #expect(probe.process.end() == 0)
    }

    /// Contexts through GLX and EGL, wakers and windows.
    @Test func openingsThatFailLeaveNoDescriptors() throws {
        let probe = try ProbeProcess(on: display)
        probe.process.send("failures 24")
        let words = try probe.process.wait(for: "openings")
        for way in words.split(separator: ",") { #expect(way.hasSuffix("failed 0 left"), "\(words)") }
        #expect(!words.contains("waker 0 failed"), "\(words)")
    }

    /// Most of the time only some of the tiles are drawn, into buffers that are some presents old.
    @Test(arguments: ["gpu", "cpu"]) func drawingWhatHasChangedGivesTheWholePicture(_ renderer: String) throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        #expect(try probe.partial(30, renderer) >= 25)
        let parts = try display.screenshot()
        try probe.run("redraw")
        _ = try probe.state()
        let whole = try display.screenshot()
        let places = (0..<120).flatMap { y in (0..<160).map { (x: 2 * $0, y: 2 * y) } }
        #expect(places.allSatisfy { parts.color(x: $0.x, y: $0.y) == whole.color(x: $0.x, y: $0.y) })
        #expect(Set(places.map { whole.color(x: $0.x, y: $0.y) }).count > 3)
        // What was drawn in another size is lost.
        try probe.run("size 401 299")
        try probe.event("resized(401x299)")
        #expect((5..<10).contains(try probe.partial(10, renderer)))
        try probe.run("fullscreen 1")
        try probe.event("resized(1280x1024)")
        #expect((1..<3).contains(try probe.partial(3, renderer)))
    }

    @Test func aFineScreenHasAScale() throws {
        try display.setDotsPerInch(192)
        let probe = try ProbeProcess(on: display)
        #expect(probe.opened.contains("scale 2.0"), "\(probe.opened)")
    }

    @Test func aResizeFromOutsideIsAnEvent() throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        let window = try #require(try display.xdotool("search", "--sync", "--name", "^probe$").first)
        try display.xdotool("windowsize", window, "500", "400")
        try probe.event("resized(500x400)")
        try probe.run("paint 0 1 2 3")
        #expect(try display.screenshot().color(x: 499, y: 399) == [1, 2, 3])
    }

    @Test func theProgramCanResize() throws {
        let probe = try ProbeProcess(on: display)
        try probe.run("size 401 299")
        try probe.event("resized(401x299)")
        #expect(try probe.state().contains("framebuffer 401x299 size 401x299"))
    }

    /// The X server blanks the screen after a time without input, which it tells here.
    @Test func aWindowCanKeepTheScreenOn() throws {
        let probe = try ProbeProcess(on: display)
        let idle = try IdleTime(display)
        while idle.milliseconds < 400 { usleep(10_000) }
        try probe.run("awake")
        let end = ContinuousClock.now + .seconds(120)
        var isReset = false
        while !isReset, ContinuousClock.now < end {
            isReset = idle.milliseconds < 400
            usleep(1000)
        }
        #expect(isReset)
        // Once in a while is enough.
        while idle.milliseconds < 400 { usleep(10_000) }
        try probe.run("awake")
        try probe.run("paint 0 1 2 3")
        #expect(idle.milliseconds >= 400)
    }

    @Test func fullscreenFillsTheScreenAndGivesTheOldPlaceBack() throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        try probe.run("fullscreen 1")
        try probe.event("resized(1280x1024)")
        #expect(try probe.state().contains("fullscreen true"))
        try probe.run("paint 0 40 50 60")
        #expect(try display.screenshot().color(x: 1279, y: 1023) == [40, 50, 60])
        try probe.run("fullscreen 0")
        try probe.event("resized(320x240)")
        #expect(try probe.state().contains("size 320x240 scale 1.0 visible true fullscreen false"))
    }

    @Test func aWindowCanBeginFullscreen() throws {
        let probe = try ProbeProcess(on: display, "fullscreen")
        try probe.event("resized(1280x1024)")
        try probe.run("fullscreen 0")
        try probe.event("resized(320x240)")
    }

    @Test func theMainQueueRunsWhileAWindowWaits() throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        for _ in 0..<3 {
            probe.process.send("tasks")
            let lines = try Set((0..<3).map { _ in try probe.process.wait(for: "ran a") })
            #expect(lines == ["ran a task", "ran a block", "ran a part of a task"])
            try probe.process.wait(for: "ran a late part of a task")
        }
        // A wait that does not sleep ends thousands of times.
        probe.process.send("idle")
        let wakes = try #require(Int(try probe.process.wait(for: "wakes").split(separator: " ")[1]))
        #expect(wakes < 100)
    }

    @Test func theXServerReportsRefreshes() throws {
        let probe = try ProbeProcess(on: display)
        let (distance, age) = try probe.refreshes(50)
        // A screen without a rate has 60 ticks a second, of which a busy machine misses many. Their times are on our clock.
        #expect((10...200).contains(distance))
        #expect((0..<5000).contains(age))
    }

    @Test func twoWindowsAreDrawnAndClosedOnTheirOwn() throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        try probe.run("size 600 500")
        try probe.event("resized")
        try probe.run("open")
        try probe.process.wait(for: "event 1 refreshNeeded")
        try probe.run("paint 0 200 0 0")
        try probe.run("paint 1 0 200 0")
        try probe.run("paint 0 0 0 200")
        let screen = try display.screenshot()
        #expect(screen.color(x: 100, y: 100) == [0, 200, 0])
        #expect(screen.color(x: 500, y: 450) == [0, 0, 200])
        try probe.run("close")
        try probe.event("refreshNeeded")
        try probe.run("paint 0 9 9 9")
        #expect(try display.screenshot().color(x: 100, y: 100) == [9, 9, 9])
    }

    @Test("A window whose memory a frame is in is hidden at once, and destroyed with the frame, on the main thread")
    func aFrameOutlivesItsWindow() throws {
        let probe = try ProbeProcess(on: display)
        try probe.event("refreshNeeded")
        try probe.run("open")
        try probe.process.wait(for: "event 1 refreshNeeded")
        probe.process.send("keep 1")
        try probe.process.wait(for: "kept true")
        // It fails if there is none.
        func windows() -> Int { (try? display.xdotool("search", "--name", "probe 1").count) ?? 0 }
        func visible() -> Int { (try? display.xdotool("search", "--onlyvisible", "--name", "probe 1").count) ?? 0 }
        #expect(visible() == 1)
        try probe.run("close")
        #expect(visible() == 0)
        #expect(windows() == 1)
        try probe.run("release")
        let end = ContinuousClock.now + .seconds(10)
        while windows() > 0, ContinuousClock.now < end { usleep(20_000) }
        #expect(windows() == 0)
        try probe.run("paint 0 9 9 9")
        #expect(try display.screenshot().color(x: 100, y: 100) == [9, 9, 9])
    }
}

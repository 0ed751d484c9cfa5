import Dispatch
import GLRendering
import Glibc
import MediaIO
import TextRaster
import VideoSources
import VideoWall
import VitrailGL
import WallRendering
import WindowGL

/// The loop: events and commands in, lines out.
final class Probe {
    private let reader = CommandReader()
    private let waker: Waker
    private var windows: [Window] = []
    private var partial: PartialDrawing?
    /// A frame in memory of a window's context.
    private var kept: VideoFrame?

    /// Opens one window, 320 × 240: `plain`, `fullscreen`, `hidden`.
    init(wayOfOpening: String) throws {
        waker = try Waker()
        var options = WindowOptions()
        options.waker = waker
        options.applicationID = "vitrail-probe"
        options.isFullscreen = wayOfOpening == "fullscreen"
        options.isVisible = wayOfOpening != "hidden"
        try open("probe", options)
    }

    /// Runs until it receives the command to quit.
    func run() throws {
        reader.start(waking: waker)
        while let first = windows.first {
            for event in first.waitEvents() { say("event 0 \(event)") }
            for (index, window) in windows.enumerated().dropFirst() {
                for event in window.pollEvents() { say("event \(index) \(event)") }
            }
            while let command = reader.next() {
                if command == "quit" { return say("bye") }
                try obey(command.split(separator: " ").map(String.init))
                say("done \(command)")
            }
        }
    }

    private func obey(_ words: [String]) throws {
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard let window = windows.first else { return }
        switch words[0] {
        case "open": try open("probe \(windows.count)", options())
        case "close": windows.removeLast()
        case "keep": try keepFrame(of: windows[numbers[0]])
        case "release":
            let frame = kept
            kept = nil
            Task.detached { withExtendedLifetime(frame) {} }
        case "paint": paint(windows[numbers[0]], numbers[1], numbers[2], numbers[3])
        case "pattern": try drawPattern(window, choice(words))
        case "partial":
            let drawing = try partial ?? PartialDrawing(window, choice(words))
            partial = drawing
            say("partial \(try drawing.run(numbers[0]))")
        case "texture": say(try TextureDrawing(window: window).run())
        case "failures": say(FailedOpenings(window: window).run(upTo: numbers[0]))
        case "tasks": startTasks()
        case "idle": say("idle \(wakes(in: .seconds(1))) wakes")
        case "redraw": try partial?.redraw()
        case "present": for _ in 0..<numbers[0] { window.present() }
        case "reports": countReports(window, numbers[0])
        case "vsync": window.isVSyncOn = numbers[0] == 1
        case "visible": window.isVisible = numbers[0] == 1
        case "fullscreen": window.isFullscreen = numbers[0] == 1
        case "size": window.size = VideoSize(width: numbers[0], height: numbers[1])
        case "title": window.title = words[1]
        case "icon": window.setIcon(rgba: [UInt8](repeating: 200, count: 16 * 16 * 4), width: 16, height: 16)
        case "awake": window.postponeBlanking()
        case "state": say("state \(describe(window))")
        default: say("error There is no command \(words[0]).")
        }
    }

    /// Which renderer a command names.
    private func choice(_ words: [String]) -> RendererChoice { words.last.flatMap(RendererChoice.init) ?? .auto }

    /// Presents until the window system has reported a number of refreshes, and prints the median of their intervals
    /// and the age of the last one.
    ///
    /// Virtual screens report refreshes, too.
    private func countReports(_ window: Window, _ count: Int) {
        guard let events = window.makeRefreshEvents() else { return say("refreshes none") }
        var times: [MonotonicTime] = []
        while times.count < count {
            events.request()
            window.present()
            _ = window.pollEvents()
            while let time = events.take() { times.append(time) }
        }
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        let age = MonotonicTime.now - (times.last ?? .now)
        say("refreshes \(gaps[gaps.count / 2] / .milliseconds(1)) ms apart, the last \(age / .milliseconds(1)) ms ago")
    }

    /// Has the main queue do things, from this thread and from others.
    private func startTasks() {
        Task { @MainActor in say("ran a task") }
        DispatchQueue.main.async { say("ran a block") }
        Task.detached {
            await MainActor.run { say("ran a part of a task") }
            try? await Task.sleep(for: .milliseconds(300))
            await MainActor.run { say("ran a late part of a task") }
        }
    }

    /// How often waits end while nothing happens.
    private func wakes(in time: Duration) -> Int {
        let end = ContinuousClock.now + time
        var count = 0
        while ContinuousClock.now < end {
            _ = windows[0].waitEvents(timeout: ContinuousClock.now.duration(to: end))
            count += 1
        }
        return count
    }

    private func options() -> WindowOptions {
        var options = WindowOptions()
        options.waker = waker
        return options
    }

    private func open(_ title: String, _ options: WindowOptions) throws {
        let window = try Window(title: title, size: VideoSize(width: 320, height: 240), options: options)
        windows.append(window)
        say("opened \(describe(window)) \(window.context.information.renderer) \(window.context.information.version)")
    }

    private func describe(_ window: Window) -> String {
        let (pixels, size) = (window.framebufferSize, window.size)
        return "framebuffer \(pixels.width)x\(pixels.height) size \(size.width)x\(size.height)"
            + " scale \(window.contentScale) visible \(window.isVisible) fullscreen \(window.isFullscreen)"
    }

    private func paint(_ window: Window, _ red: Int, _ green: Int, _ blue: Int) {
        do throws(GLError) {
            try window.context.use()
        } catch {
            return say("error \(error)")
        }
        window.context.bind(framebuffer: 0)
        // Mesa takes notice of a window's new size here.
        window.context.setViewport(width: window.framebufferSize.width, height: window.framebufferSize.height)
        window.context.clear(red: Float(red) / 255, green: Float(green) / 255, blue: Float(blue) / 255)
        present(window)
    }

    /// Shows frames that are made in memory of the window's context, and keeps the last one.
    private func keepFrame(of window: Window) throws {
        let screen = try WindowOutput(context: window.context, .gpu, upload: .mapped)
        let wall = Wall()
        let tile = wall.addTile(named: "pattern")
        let reader = try TestPatternReader(pattern: .clock, size: VideoSize(width: 160, height: 120))
        reader.demand?.wants = VideoSinkWants(memory: screen.renderer.frameMemory)
        screen.target.size = window.framebufferSize
        for _ in 0..<5 {
            kept = try reader.next()
            if let kept { tile.mailbox.put(kept) }
            try screen.renderer.render(wall, into: screen.target)
            present(window)
        }
        let isInMemory = try kept?.pixelBuffer.memory === screen.renderer.frameMemory
        say("kept \(isInMemory)")
    }

    /// Presents and waits until the X server has done it: it answers questions in order, and the size is one.
    private func present(_ window: Window) {
        window.present()
        _ = window.size
    }

    private func drawPattern(_ window: Window, _ choice: RendererChoice) throws {
        let screen = try WindowOutput(context: window.context, choice)
        let wall = Wall(text: TextRasterizer())
        let tile = wall.addTile(named: "pattern")
        tile.label = "label"
        wall.addTile(named: "awaited")
        wall.overlay = "overlay"
        tile.mailbox.put(try TestPatternReader(pattern: .clock, size: VideoSize(width: 160, height: 120)).frame(at: 7))
        screen.target.size = window.framebufferSize
        try screen.renderer.render(wall, into: screen.target)
        present(window)
    }
}

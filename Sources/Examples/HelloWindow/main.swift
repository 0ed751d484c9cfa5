// A moving test pattern in a window, until Escape is pressed or the window is closed.
import Glibc
import MediaIO
import VideoSources
import VideoWall
import WallRendering
import WindowGL

func run() throws {
    let window = try Window(title: "HelloWindow", size: VideoSize(width: 960, height: 540))
    let screen = try WindowOutput(context: window.context) { (window.presentCount, window.bufferAge) }
    let wall = Wall()
    let mailbox = FrameMailbox(wake: window.waker.wake)
    wall.addTile(named: "bars", mailbox: mailbox)

    let source = PacedSource(name: "bars") {
        try TestPatternReader(pattern: .bars, size: VideoSize(width: 1280, height: 720))
    }
    let stream = VideoStream(source: source, sinks: [mailbox])
    try stream.initialize()
    try stream.start()

    while true {
        let events = window.waitEvents()
        for case .key(.escape, _, _) in events { return }
        if events.contains(.closeRequested) { return }
        if events.contains(.refreshNeeded) { screen.target.invalidate() }
        guard window.isVisible else { continue }
        screen.target.size = window.framebufferSize
        window.pace()
        if try screen.renderer.render(wall, into: screen.target) { window.present() }
    }
}

do {
    try run()
} catch {
    print(error)
    exit(1)
}

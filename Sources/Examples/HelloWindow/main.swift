// A moving test pattern in a window, until Escape is pressed or the window is closed.
import Glibc
import MediaIO
import VideoRendering
import VideoSources
import WindowGL

func run() throws {
    let window = try Window(title: "HelloWindow", size: PixelSize(width: 960, height: 540))
    let wall = try WallRenderer(context: window.context)
    let mailbox = FrameMailbox(wake: window.waker.wake)
    wall.add(StreamTile(name: "bars", mailbox: mailbox))

    let source = PacedSource(name: "bars") { () throws(StreamError) in
        try TestPatternReader(pattern: .bars, size: VideoSize(width: 1280, height: 720))
    }
    let stream = VideoStream(source: source, sinks: [mailbox])
    try stream.initialize()
    try stream.start()

    while true {
        let events = window.waitEvents()
        for case .key(.escape, _, _) in events { return }
        if events.contains(.closeRequested) { return }
        guard try wall.update() || !events.isEmpty, window.isVisible else { continue }
        let size = window.framebufferSize
        try wall.drawToWindow(size: VideoSize(width: size.width, height: size.height))
        window.present()
    }
}

do {
    try run()
} catch {
    print(error)
    exit(1)
}

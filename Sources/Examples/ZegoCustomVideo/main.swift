// ZEGO's tutorials: custom capture and custom rendering, of a local preview and a remote stream.
import Dispatch
import MediaEngine
import MediaIO
import VideoSources
import VideoWall

let engine = VideoEngine()
let handler = VideoHandler()

// Before preview and streams begin: choose who renders, in which kind of memory and which family of formats.
engine.setCustomRender(
    CustomRenderConfiguration(bufferKind: .pixelBuffer, formatFamily: .rgb, engineRenders: true), handler: handler)

let capture = try engine.channel(.main).enableCustomCapture(.pixelBuffer, handler: handler)
handler.capture.withLock { $0 = capture }

// The engine renders, too: into a canvas, which is the mailbox of a tile.
let wall = Wall()
try engine.startPreview(canvas: wall.addTile(named: "preview").mailbox)

// The state of the device, and how pictures of another shape are shown.
capture.deviceState = .open
engine.channel(.main).aspectRatio = Rational(16, 9)
engine.channel(.main).fillMode = .fill

let remote = PacedSource(name: "door") {
    try TestPatternReader(pattern: .bars, size: VideoSize(width: 320, height: 180), frameRate: Rational(30))
}
try engine.startPlayingStream("door", from: remote, canvas: wall.addTile(named: "door").mailbox)

handler.previewed.wait()
for _ in 0..<5 { handler.received.wait() }
engine.dispose()

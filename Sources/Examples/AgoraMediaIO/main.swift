// Agora's MediaIO tutorial: a custom source and a custom renderer. AgoraMediaIO [FILE] saves what the renderer shows.
import Dispatch
import MediaEngine
import MediaIO
import PNGFile
import VideoWall
import WallRendering

let engine = VideoEngine()
let customCamera = CameraSource()
let customRender = WallSink()
try engine.setVideoSource(customCamera)
try engine.setLocalVideoRenderer(customRender)
try engine.startPreview()

let wall = Wall()
wall.addTile(named: "local video", mailbox: customRender.mailbox)
let drawing = try ChosenRenderer(.auto).renderer
let picture = try drawing.makeOffscreenTarget(size: VideoSize(width: 640, height: 480))
for _ in 0..<3 {
    customRender.arrived.wait()
    try drawing.render(wall, into: picture)
}
engine.dispose()

let file = CommandLine.arguments.dropFirst().first ?? "agora.png"
try PNG.write(rgba: picture.readPixels(), width: 640, height: 480, to: file)
print("\(file) written.")

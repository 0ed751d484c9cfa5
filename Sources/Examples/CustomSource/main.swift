// A custom source on the wall: CustomSource [FILE] saves the wall after ten frames as a PNG.
import Dispatch
import GLRendering
import HeadlessGL
import MediaIO
import PNGFile
import VideoWall

let size = VideoSize(width: 640, height: 360)
let renderer = try GLRenderer(context: HeadlessContext.make())
let picture = try renderer.makeOffscreenTarget(size: size)

let arrived = DispatchSemaphore(value: 0)
let mailbox = FrameMailbox(wake: { arrived.signal() })
let stream = VideoStream(source: BouncingBall(), sinks: [mailbox])
try stream.initialize()
try stream.start()
for _ in 0..<10 { arrived.wait() }
stream.stop()

// No frame is on its way any more. The mailbox has the newest one, which disposing of the stream would release.
let wall = Wall()
wall.addTile(named: "ball", mailbox: mailbox)
try renderer.render(wall, into: picture)
stream.dispose()

let file = CommandLine.arguments.dropFirst().first ?? "ball.png"
try PNG.write(rgba: picture.readPixels(), width: size.width, height: size.height, to: file)
print("\(file) written.")

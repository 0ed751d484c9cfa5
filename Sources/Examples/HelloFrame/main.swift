// A frame made by hand, drawn without a window, saved as a PNG: HelloFrame [FILE]
import MediaIO
import PNGFile
import VideoWall
import WallRendering

// Red, green and blue of each pixel: dark to bright from left to right, blue at the top, red at the bottom.
let size = VideoSize(width: 640, height: 360)
let pixels = (0..<360).flatMap { y in
    (0..<640).flatMap { x in [y, 360, 360 - y].map { UInt8(x * $0 * 255 / (640 * 360)) } }
}
let frame = try VideoFrame(copying: pixels.span.bytes, format: .rgb24, size: size)

// The wall, and its tile that shows the frame.
let wall = Wall()
wall.addTile(named: "hello").mailbox.put(frame)
let renderer = try ChosenRenderer().renderer  // a GPU, or else the CPU
let picture = try renderer.makeOffscreenTarget(size: size)
try renderer.render(wall, into: picture)

let file = CommandLine.arguments.dropFirst().first ?? "hello.png"
try PNG.write(rgba: picture.readPixels(), width: size.width, height: size.height, to: file)
print("\(file) written.")

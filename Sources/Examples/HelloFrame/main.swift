// A frame made by hand, drawn without a window, saved as a PNG: HelloFrame [FILE]
import MediaIO
import PNGFile
import VideoWall
import WallRendering

// Red, green and blue of each pixel: dark to bright from left to right, cyan at the top, yellow at the bottom.
let size = VideoSize(width: 640, height: 360)
var pixels: [UInt8] = []
for index in 0..<640 * 360 {
    let (light, y) = (index % 640 * 255 / 640, index / 640)
    pixels += [UInt8(light * y / 360), UInt8(light), UInt8(light * (360 - y) / 360)]
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

// A frame built by hand, drawn without a window, saved as a PNG: HelloFrame [FILE]
import MediaIO
import PNGFile
import VideoWall
import WallRendering

// The pixels: a grey ramp from left to right, blue at the top, red at the bottom.
let size = VideoSize(width: 640, height: 360)
let pixels = try PixelBuffer(format: .i420, size: size) { planes in
    for (index, plane) in planes.format.planes.enumerated() {
        for row in 0..<plane.height(size) {
            let down = UInt8(row * 255 / plane.height(size))
            planes.withRow(row, ofPlane: index) { samples in
                for x in samples.indices {
                    samples[x] = index == 0 ? UInt8(16 + x * 219 / samples.count) : index == 1 ? 255 - down : down
                }
            }
        }
    }
}

// The wall, and its tile that shows the frame.
let wall = Wall()
let tile = wall.addTile(named: "hello")
tile.mailbox.put(VideoFrame(pixels))
let renderer = try ChosenRenderer().renderer  // a GPU, or else the CPU
let picture = try renderer.makeOffscreenTarget(size: size)
try renderer.render(wall, into: picture)

let file = CommandLine.arguments.dropFirst().first ?? "hello.png"
try picture.readPixels().withUnsafeBytes { rgba in
    try PNG.write(rgba: rgba, width: size.width, height: size.height, bytesPerRow: size.width * 4, to: file)
}
print("\(file) written.")

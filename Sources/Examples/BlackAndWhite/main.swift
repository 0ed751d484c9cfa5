// The black-and-white renderer of OpenTok's tutorial, twice: BlackAndWhite [FILE] saves both pictures side by side.
import MediaEngine
import MediaIO
import PNGFile
import VideoSources
import VideoWall
import WallRendering

let size = VideoSize(width: 2560, height: 720)
let wall = Wall(layout: GridLayout(gap: 0))

// On the CPU: a custom renderer, which copies the Y plane. The engine converts frames that are not I420.
let renderer = BlackAndWhiteSink()
wall.addTile(named: "on the CPU", mailbox: renderer.mailbox)

// As a shader: one line of GLSL on the picture in colour.
let tile = wall.addTile(named: "as a shader")
tile.effects = EffectChain([
    try Effect("vec4 effect(vec2 uv) { return vec4(vec3(luma(sample(uv).rgb)), 1.0); }", file: "black and white")
])

// A publisher, whose frames both of them render.
let engine = VideoEngine()
let camera = try engine.channel().enableCustomCapture()
engine.channel().mirrorMode = .off
try engine.setLocalVideoRenderer(renderer)
try engine.startPreview(canvas: tile.mailbox)
let pattern = try TestPatternReader(
    pattern: .gradient, size: VideoSize(width: 1280, height: 720), frameRate: Rational(30), format: .nv12)
if let frame = try pattern.next() { camera.push(frame) }

let drawing = try ChosenRenderer(.gpu).renderer
let picture = try drawing.makeOffscreenTarget(size: size)
try drawing.render(wall, into: picture)
engine.dispose()

let file = CommandLine.arguments.dropFirst().first ?? "black-and-white.png"
try PNG.write(rgba: picture.readPixels(), width: size.width, height: size.height, to: file)
print("\(file) written.")

// Measures the processor time per picture, for all threads and including the kernel's. It does not judge the results.
import FFmpegMedia
import Foundation
import GLRendering
import HeadlessGL
import MediaIO
import VideoWall
import VitrailGL
import WallRendering
import WindowGL

let count = 100
let size = VideoSize(width: 1920, height: 1080)

func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

func report(_ place: String, _ result: SixteenTiles.Result) {
    print(
        "\(place): all new \(rounded(result.all * 1000)) ms, one new \(rounded(result.one * 1000)) ms,",
        "ratio \(rounded(result.ratio))")
}

func measureOffscreen() throws {
    let renderer = try GLRenderer(context: try HeadlessContext.make())
    print("Sixteen tiles of 640x360 in 1920x1080, \(count) pictures each, \(renderer.name)")
    let target = try renderer.makeOffscreenTarget(size: size)
    report("offscreen", try SixteenTiles(renderer, target).measure(count))
}

/// The plain path: 8-bit SDR, unconverted, as most streams are.
func measurePlainVideo() throws {
    let renderer = try GLRenderer(context: try HeadlessContext.make())
    print("One stream of 1920x1080, \(count) pictures each: the library against a shader of one matrix and one offset")
    for format in [PixelFormat.i420, .nv12] {
        for (name, target) in [("1:1", size), ("reduced 1.33", VideoSize(width: 1440, height: 810))] {
            let result = try PlainVideo(renderer, format, size: target).measure(count)
            print(
                "\(format) \(name): library \(rounded(result.library * 1000)) ms,",
                "minimal \(rounded(result.minimal * 1000)) ms, median ratio \(rounded(result.ratio)),",
                "pictures differ by \(result.difference)")
        }
    }
}

/// What effects cost: folded into the conversion, and in passes.
func measureEffects() throws {
    let context = try HeadlessContext.make()
    print("Effects, \(count) pictures each")
    func compare(_ one: String, _ other: String, _ format: PixelFormat, _ size: VideoSize) throws {
        let result = try EffectCost(context, one, other, format, size: size).measure(count)
        print(
            "\(format) \(size): \(one) \(rounded(result.one * 1000)) ms, \(other) \(rounded(result.other * 1000)) ms,",
            "median ratio \(rounded(result.ratio))")
    }
    for format in [PixelFormat.i420, .nv12] { try compare("grayscale", "none", format, size) }
    let smaller = VideoSize(width: 1280, height: 720)
    try compare("blur:radius=32", "blur:radius=8", .i420, smaller)
}

/// What effects cost where the CPU draws.
func measureKernels() throws {
    print("Effects by the CPU, all tiles new, in 1920x1080, \(count) pictures each")
    func measure(_ tiles: Int, _ size: VideoSize, _ effects: String, on changed: Int) throws {
        let result = try KernelCost(tiles, size, effects, on: changed).measure(count)
        print(
            "\(effects) on \(changed) of \(tiles) of \(size): \(rounded(result.with * 1000)) ms,",
            "none \(rounded(result.without * 1000)) ms, median ratio \(rounded(result.ratio))")
    }
    try measure(9, VideoSize(width: 1280, height: 720), "grayscale", on: 1)
    for effect in ["grayscale", "sepia", "exposure", "posterize", "mirror", "pixelate", "privacy-mask"] {
        try measure(16, VideoSize(width: 640, height: 360), effect, on: 16)
    }
    try measure(1, VideoSize(width: 1920, height: 1080), "grayscale", on: 1)
}

/// Conversions of frames for sinks.
func measureConversions() throws {
    print("Frames of 1920x1080 to another format on one thread, \(count) each")
    for (name, isEncoding) in [("bgra32 to i420", true), ("nv12 to bgra32", false)] {
        let result = try Conversions(isEncoding: isEncoding).measure(count)
        let peer =
            if let libyuv = result.libyuv, let ratio = result.ratio {
                "libyuv \(rounded(libyuv * 1000)) ms, median ratio \(rounded(ratio))"
            } else {
                "libyuv is not installed"
            }
        print("\(name): library \(rounded(result.library * 1000)) ms,", peer)
    }
}

/// Tiles whose size changes with each picture.
func measureMovingTiles() throws {
    let tiles = try MovingTiles()
    print("Sixty-four tiles of 640x360 in 1280x720, all new, \(tiles.name)")
    let result = try tiles.measure(4)
    print(
        "moving \(rounded(result.moving * 1000)) ms (\(Int(1 / result.moving)) pictures/s),",
        "still \(rounded(result.still * 1000)) ms")
}

func measureWindow() throws {
    var options = WindowOptions()
    options.isVSyncOn = false
    let window = try Window(title: "benchmark", size: VideoSize(width: 1920, height: 1080), options: options)
    let renderer = try GLRenderer(context: window.context)
    // Its real size is known only once the window system has reported it.
    _ = window.waitEvents(timeout: .seconds(1))
    let pixels = window.framebufferSize
    let target = GLWindowTarget(
        context: window.context, size: VideoSize(width: pixels.width, height: pixels.height)
    ) { (window.presentCount, window.bufferAge) }
    let tiles = try SixteenTiles(renderer, target, present: window.present)
    let result = try tiles.measure(count)
    let age = window.bufferAge
    report("window of \(pixels.width)x\(pixels.height), \(age == 0 ? "age unknown" : "age \(age)")", result)
}

/// What it costs to decode a file in a sandbox, all processes included.
func measureSandbox(_ path: String) throws {
    let result = try SandboxCost(path, 250).measure(7)
    print(
        "\(path): \(rounded(result.own * 1000)) ms, in a sandbox \(rounded(result.sandboxed * 1000)) ms,",
        "median ratio \(rounded(result.ratio)); to start it \(rounded(result.start * 1000)) ms")
}

/// What drawing costs beside encoding.
func measureOutput(_ path: String) throws {
    for choice in [RendererChoice.cpu, .gpu] {
        let cost = try OutputCost(path, choice, count)
        let result = try cost.measure()
        print(
            "16 streams of \(path) in an output of 1920x1080, \(cost.name): drawing \(rounded(result.drawing * 1000)) ms,",
            "encoding \(rounded(result.encoding * 1000)) ms, ratio \(rounded(result.ratio))")
    }
}

/// What recording costs beside receiving.
func measureRecording(_ path: String) throws {
    let result = try RecordingCost(path, seconds: 30).measure()
    print(
        "16 streams of \(path) recorded: \(rounded(result.share * 100)) % of a core,",
        "\(rounded(Double(result.bytes) / 1e6)) MB, \(result.omitted) packets left out")
}

func measureOwn() throws {
    try measureOffscreen()
    try measurePlainVideo()
    try measureEffects()
    try measureKernels()
    try measureConversions()
    try measureMovingTiles()
    do {
        try measureWindow()
    } catch let error as WindowError where error.code == .noDisplay {
        print("window: no display")
    }
}

/// Draws with SDL, as one of the peers of a comparison.
func drawWithSDL(_ arguments: [String]) throws {
    let workloads = PeerWorkload.all(in: URL(fileURLWithPath: arguments[1]))
    guard let workload = workloads.first(where: { $0.name == arguments[2] }) else { return }
    try SDLPeer(arguments[0], workload).draw(Int(arguments[3]) ?? 0)
}

DecoderSandbox.serveIfAsked()
do {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "peers": try PeerComparison().run(Array(arguments.dropFirst()))
    case "moving": try measureMovingTiles()
    case "sandbox": for path in arguments.dropFirst() { try measureSandbox(path) }
    case "kernels": try measureKernels()
    case "output": for path in arguments.dropFirst() { try measureOutput(path) }
    case "recording": for path in arguments.dropFirst() { try measureRecording(path) }
    case "sdl": try drawWithSDL(Array(arguments.dropFirst()))
    default: try measureOwn()
    }
} catch {
    print("\(error)")
    exit(1)
}

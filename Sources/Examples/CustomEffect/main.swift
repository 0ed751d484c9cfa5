// Your own effect on a stream, with a moving parameter: CustomEffect [FILE] saves the wall as a PNG after 30 frames.
import GLRendering
import HeadlessGL
import MediaIO
import PNGFile
import VideoSources
import VideoWall

// A lens: the picture inside the circle is enlarged and tinted. EffectFile.read(_:) reads such a text from a file.
let effect = try Effect(
    """
    //! name Lens
    //! param center point 0.5 0.5 "Centre"
    //! param radius float 0.05 0.5 0.25 "Radius, as a share of the height"
    //! param tint color #ffe0b0 "Tint"

    vec4 effect(vec2 uv) {
        vec2 away = (uv - center) * vec2(resolution.x / resolution.y, 1.0);
        float inside = 1.0 - smoothstep(radius * 0.97, radius, length(away));
        vec4 enlarged = sample(mix(uv, center, 0.5)) * vec4(tint, 1.0);
        return mix(sample(uv), enlarged, inside);
    }
    """, file: "lens.effect.glsl")

let size = VideoSize(width: 640, height: 360)
let renderer = try GLRenderer(context: HeadlessContext.make())
let picture = try renderer.makeOffscreenTarget(size: size)
let reader = try TestPatternReader(pattern: .bars, size: size, frameRate: Rational(30))

let wall = Wall()
let tile = wall.addTile(named: "bars")
tile.effects = EffectChain([effect])
for _ in 0..<30 {
    guard let frame = try reader.next() else { break }
    tile.mailbox.put(frame)
    // From left to right in a second; new values need no new compilation.
    let share = Float((frame.presentationTime ?? .zero) / .seconds(1))
    _ = tile.effects.steps[0].set("center", .point(SIMD2(0.2 + 0.6 * share, 0.4)))
    try renderer.render(wall, into: picture)
    // An effect that does not compile leaves the picture as it is.
    if let failure = tile.report.effectFailure { throw failure }
}

let file = CommandLine.arguments.dropFirst().first ?? "lens.png"
try PNG.write(rgba: picture.readPixels(), width: size.width, height: size.height, to: file)
print("\(file) written.")

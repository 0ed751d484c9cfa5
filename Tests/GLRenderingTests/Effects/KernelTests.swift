import MediaIO
import TestSupport
import Testing
import VideoEffects
import VideoWall

/// What the CPU draws of effects by itself, against OpenGL.
@Suite(.renderTurn) struct KernelTests {
    /// A chain on the command line, and whether it has steps, at which a tiny difference becomes a large one.
    struct Chain: Sendable, CustomTestStringConvertible {
        let text: String
        let hasSteps: Bool

        var testDescription: String { text }
    }

    private static let smooth = [
        "grayscale", "sepia", "sepia:amount=0.4", "invert", "invert:amount=0.7", "adjust",
        "adjust:contrast=3:saturation=3", "adjust:hue=133:brightness=-0.2", "exposure",
        "exposure:stops=-3:temperature=3000:tint=0.4:gamma=0.7", "exposure:stops=4:gamma=2.2", "lut", "plain-luma",
        "invert,plain-luma,sepia", "mirror", "mirror:show=right", "mirror:show=top", "mirror:show=bottom",
        "mirror:show=quarter", "pixelate", "pixelate:size=1", "pixelate:size=3", "pixelate:size=75",
        "privacy-mask", "privacy-mask:style=pixelate", "privacy-mask:style=pixelate:blocks=1",
        "privacy-mask:first=0/0:second=1/1:style=pixelate:blocks=32",
        "privacy-mask:first=0.9/0.8:second=0.1/0.1:style=pixelate:blocks=13",
        "sepia,mirror:show=quarter,adjust,pixelate:size=9,grayscale",
        "pixelate:size=5,privacy-mask:style=pixelate,mirror:show=right,invert",
        "privacy-mask:style=pixelate,pixelate:size=7,mirror", "privacy-mask,plain-luma",
        "privacy-mask:style=pixelate,plain-luma,invert",
    ]
    private static let stepped = [
        "posterize", "posterize:levels=31", "zebra:low=0.3:high=0.7:width=3:stripe=#ff8000", "false-color",
        "false-color:rest=color", "mirror,zebra:low=0:high=1:width=2",
    ]
    static let chains: [Chain] =
        smooth.map { Chain(text: $0, hasSteps: false) } + stepped.map { Chain(text: $0, hasSteps: true) }

    static func chain(_ text: String) throws -> EffectChain {
        var notes: [String] = []
        let chain = try EffectChain(text, notes: &notes)
        try #require(notes.isEmpty)
        return chain
    }

    @Test(arguments: chains) func isWhatTheShaderDraws(_ row: Chain) throws {
        let chain = try Self.chain(row.text)
        for (format, rotation, filter, size) in try Self.pictures() {
            let frame = VideoFrame(try TestPicture.noise(format, VideoSize(width: 75, height: 53)).buffer())
            let drawn = try TestRenderer.allCases.map { renderer in
                let wall = try TestWall(with: renderer)
                let picture = try wall.picture(of: frame, size, filter: filter) { tile in
                    (tile.effects, tile.contentMode, tile.rotation) = (chain, .stretch, rotation)
                }
                #expect(wall.wall.tiles[0].report.effectFailure == nil)
                #expect(wall.wall.tiles[0].report.failure == nil)
                return picture
            }
            let worst = drawn[1].largestDifference(from: drawn[0])
            guard row.hasSteps else {
                #expect(worst.value <= 1, "\(format) (\(worst.x), \(worst.y)) \(worst.value)")
                continue
            }
            let pairs = zip(drawn[0].bytes, drawn[1].bytes)
            let share = Double(pairs.count { abs(Int($0) - Int($1)) > 1 }) / Double(drawn[0].bytes.count)
            #expect(share < 0.005, "\(format)")
        }
    }

    private static func pictures() throws -> [(PixelFormat, VideoRotation, ScalingFilter, VideoSize)] {
        let own = VideoSize(width: 75, height: 53)
        return [
            (.i420, .upright, .nearest, own), (.nv12, .upright, .bilinear, VideoSize(width: 61, height: 47)),
            (.i420, .clockwise90, .bilinear, VideoSize(width: 120, height: 81)),
            (.rgba32, .upright, .lanczos, VideoSize(width: 40, height: 33)), (.gray8, .upright, .nearest, own),
            (.p010, .upright, .nearest, own),
        ]
    }
}

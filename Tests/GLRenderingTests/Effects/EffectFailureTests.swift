import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

@testable import GLRendering

/// What is drawn and said if an effect cannot be applied.
@Suite struct EffectFailureTests {
    private static let size = VideoSize(width: 32, height: 18)
    private static let black = "vec4 effect(vec2 uv) { return vec4(0.0, 0.0, 0.0, 1.0) + 0.0 * sample(uv); }"

    private static func frame() throws -> VideoFrame { VideoFrame(try TestPicture.noise(.rgb24, size).buffer()) }

    @Test(arguments: [
        // The line that is wrong, and a word of the driver's.
        ("float a() { return 1.0 }\nvec4 effect(vec2 uv) { return sample(uv); }", 2),
        ("\n\nvec4 effect(vec2 uv) { return unknown(uv); }", 4),
        ("vec4 effect(vec2 uv) {\n    vec3 a = sample(uv);\n    return vec4(a, 1.0);\n}", 3),
        ("//! param int float 0 1 0\nvec4 effect(vec2 uv) { return sample(uv); }", 2),
        ("vec4 effect(vec2 uv) { return sample(uv);\n\n", 3),
        ("vec3 effect(vec2 uv) { return sample(uv).rgb; }", nil),
        ("vec4 effect(vec2 uv) { return sample(uv); }\n#if 1\n", nil),
    ]) func theLineIsNamed(_ text: String, _ line: Int?) throws {
        let test = try TestWall()
        let plain = try test.picture(of: Self.frame(), Self.size)
        let effect = try Effect("// The first line.\n" + text, file: "folder/wrong.effect.glsl")
        let tile = test.add(try Self.frame())
        tile.effects = EffectChain([effect])
        test.wall.remove(test.wall.tiles[0])
        // Without the effect, and under the notice, the picture goes on.
        let size = VideoSize(width: 320, height: 180)
        _ = try test.picture(size)
        let error = try #require(tile.report.effectFailure)
        #expect(error.file == "folder/wrong.effect.glsl" && error.line != nil, "\(error)")
        if let line { #expect(error.line == line, "\(error)") }
        #expect(tile.notice == error.description && tile.report.failure == nil)
        #expect(tile.report.drawn > 0)
        tile.effects = EffectChain()
        #expect(try test.picture(Self.size) == plain)
        #expect(tile.notice == nil)
    }

    @Test func theLastVersionThatCompilesIsUsed() throws {
        let test = try TestWall()
        let good = try Effect(Self.black, file: "a")
        let wrong = try Effect("vec4 effect(vec2 uv) { return 1; }", file: "a", fallback: good)
        let worse = try Effect("vec4 effect(vec2 uv) { return 2; }", file: "a", fallback: wrong)
        let tile = test.add(try Self.frame())
        tile.effects = EffectChain([worse])
        let context = test.context
        _ = try test.picture(Self.size)
        #expect(tile.report.effectFailure?.source == "vec4 effect(vec2 uv) { return 2; }")
        tile.label = nil
        let target = try test.renderer.makeOffscreenTarget(size: Self.size)
        try test.renderer.render(test.wall, into: target)
        // Without text, which is not drawn in so small a tile.
        #expect(try target.readPixels().enumerated().allSatisfy { $0.offset % 4 == 3 || $0.element == 0 })
        _ = context
    }

    @Test func theWallsOwnFailureIsSaid() throws {
        let test = try TestWall()
        let plain = try test.picture(of: Self.frame(), Self.size)
        test.wall.effects = EffectChain([try Effect("vec4 effect(vec2 uv) { return 1; }", file: "a")])
        #expect(try test.picture(Self.size) == plain)
        #expect(test.wall.report.effectFailure?.line == 1)
        test.wall.effects = EffectChain()
        _ = try test.picture(Self.size)
        #expect(test.wall.report.effectFailure == nil)
    }

    @Test func nothingIsKeptOfEffectsThatAreGone() throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        _ = try test.picture(Self.size)
        let count = test.context.textureCount
        for round in 0..<3 {
            tile.effects = EffectChain([
                try Effect(
                    "//! pass a\nvec4 a_pass(vec2 uv) { return vec4(\(round).0); }\n"
                        + "vec4 effect(vec2 uv) { return texture(a, uv) + previous(uv); }", file: "a")
            ])
            test.wall.effects = tile.effects
            _ = try test.picture(Self.size)
            #expect(test.context.textureCount > count)
        }
        tile.effects = EffectChain()
        test.wall.effects = EffectChain()
        _ = try test.picture(Self.size)
        #expect(test.context.textureCount == count)
    }
}

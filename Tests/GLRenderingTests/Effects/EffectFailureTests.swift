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

    /// A warning about something else is not the reason.
    @Test func errorsPrecedeWarnings() throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        let text =
            "float f(float x) { return x > 0.5 ? f(x - 0.1) : x; }\nvec4 effect(vec2 uv) { return vec4(f(uv.x)); }"
        tile.effects = EffectChain([try Effect(text, file: "again.effect.glsl")])
        _ = try test.picture(Self.size)
        let error = try #require(tile.report.effectFailure)
        #expect(
            error.reason.contains("recursion") && !error.reason.contains("warning") && error.line != nil, "\(error)")
    }

    /// What a call could have meant is in the reason, and the line in quotes after it.
    @Test func candidatesAreNamed() throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        let text = """
            float f(float x) { return x; }
            float f(vec2 x) { return x.x; }
            vec4 effect(vec2 uv) { return vec4(f(sample(uv))); }
            """
        tile.effects = EffectChain([try Effect(text, file: "f.effect.glsl")])
        _ = try test.picture(Self.size)
        let error = try #require(tile.report.effectFailure)
        #expect(
            error.line == 3 && error.description.hasSuffix("\n“vec4 effect(vec2 uv) { return vec4(f(sample(uv))); }”"))
        // Drivers other than Mesa do not list them.
        if error.reason.contains("candidates") {
            #expect(error.reason.hasSuffix("candidates are: float f(float); float f(vec2)"), "\(error)")
        }
    }

    @Test func theLastVersionThatCompilesIsUsed() throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        let versions = [
            Self.black, "vec4 effect(vec2 uv) { return 1; }", "vec4 effect(vec2 uv) { return 2; }",
            "vec4 effect(vec2 uv) { return vec4(1.0) + 0.0 * sample(uv); }",
        ]
        let levels: [Int] = try versions.map { text in
            tile.effects = EffectChain([try Effect(text, file: "a")])
            let color = try test.picture(Self.size).pixel(0, 0)
            #expect(tile.report.effectFailure?.source == (text.contains("vec4(") ? nil : text))
            return color[0]
        }
        #expect(levels == [0, 0, 0, 255])
        // Another file's version is none of this one's.
        tile.effects = EffectChain([try Effect(versions[1], file: "b")])
        let plain = try test.picture(Self.size)
        tile.effects = EffectChain()
        #expect(try test.picture(Self.size) == plain)
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

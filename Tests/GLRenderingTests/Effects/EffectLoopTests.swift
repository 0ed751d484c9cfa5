import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import GLRendering

/// Effects of users whose loops do not end, or take too long.
@Suite struct EffectLoopTests {
    private static let size = VideoSize(width: 8, height: 4)

    /// A folder without files makes an effect a user's.
    struct NoFiles: EffectFolder {
        func text(ofFile name: String) throws(EffectError) -> String { throw EffectError("there is none", file: name) }

        func image(ofFile name: String) throws(EffectError) -> EffectTexture.Image {
            throw EffectError("there is none", file: name)
        }
    }

    /// The turns that loops take, divided by 2^17.
    private func turns(_ loops: String, before: String = "") throws -> Double {
        let test = try TestWall()
        let text = """
            float n = 0.0;
            \(before)
            vec4 effect(vec2 uv) {
                \(loops)
                return vec4(vec3(n / 131072.0), 1.0);
            }
            """
        let frame = VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer())
        let chain = EffectChain([try Effect(text, file: "loop.effect.glsl", folder: NoFiles())])
        let picture = try test.floats(of: frame, Self.size) { $0.effects = chain }
        #expect(test.wall.tiles[0].notice == nil)
        #expect(picture.allSatisfy { $0 == picture[0] })
        return picture[0][0] * 131072
    }

    @Test(arguments: [
        "while (true) n += 1.0;", "for (;;) n += 1.0;", "for (int i = 0; i < 5; i += 0) { n += 1.0; }",
        "for (;;) { n += 1.0; while (true) { n += 1.0; } }", "do { for (;;) n += 1.0; n += 1.0; } while (true);",
        "EVER n += 1.0;", "endless();",
    ]) func endlessLoopsEnd(_ loops: String) throws {
        let before = "#define EVER while (1 == 1)\nvoid endless() { for (;;) { n += 1.0; } }"
        let turns = try turns(loops, before: before)
        // Not by llvmpipe's own limit, 65,535.
        #expect((64_999...65_001).contains(turns), "\(turns)")
    }

    @Test func longLoopsAreUnchanged() throws {
        #expect(try turns("for (int i = 0; i < 60000; i++) n += 1.0;") == 60000)
        #expect(try turns("int i = 0; while (i < 100) { for (int k = 0; k < 500; k++) n += 1.0; i++; }") == 50000)
    }
}

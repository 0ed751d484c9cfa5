import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

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

    /// The turns that loops take, in a time that the trial does not see.
    private func turns(_ loops: String, before: String = "") throws -> Double {
        let test = try TestWall()
        let text = """
            float n = 0.0;
            \(before)
            vec4 effect(vec2 uv) {
                if (time > 0.5) { \(loops) }
                return vec4(vec3(n / 131072.0), 1.0);
            }
            """
        let frame = VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer())
        let chain = EffectChain([try Effect(text, file: "loop.effect.glsl", folder: NoFiles())])
        test.wall.time = .seconds(1)
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

    private static let slow = """
        // An endless loop with much to do for each pixel.
        vec4 effect(vec2 uv) {
            vec4 sum = vec4(0.0);
            for (;;) {
                for (float i = 0.0; i < 1e9; i += 1.0) { sum += sin(sum + sample(uv + i * 1e-4 + sum.xy)); }
            }
            return sum;
        }
        """

    @Test(arguments: [
        (slow, 4),
        (
            "//! pass a scale 4\n//! pass b size 8x8\nvec4 b_pass(vec2 uv) { return sample(uv); }\n"
                + slow.replacing("effect(", with: "a_pass(")
                + "\nvec4 effect(vec2 uv) { return texture(a, uv) + texture(b, uv); }", 7
        ),
        (
            "//! pass a size 256x1 points 1024x1024\nvec2 a_place(vec2 uv) { return uv; }\n"
                + slow.replacing("effect(", with: "a_pass(") + "\nvec4 effect(vec2 uv) { return texture(a, uv); }", 6
        ),
    ]) func whatTakesTooLongIsRefused(_ text: String, _ line: Int) throws {
        let test = try TestWall()
        let size = VideoSize(width: 320, height: 180)
        let frame = VideoFrame(try TestPicture.noise(.rgb24, size).buffer())
        let plain = try test.picture(of: frame, size)
        let effect = try Effect(text, file: "slow.effect.glsl", folder: NoFiles())
        test.wall.effects = EffectChain([effect])
        #expect(try test.picture(size) == plain)
        let error = try #require(test.wall.report.effectFailure)
        #expect(error.file == "slow.effect.glsl" && error.line == line, "\(error)")
        #expect(error.reason.hasPrefix("one picture would take about "), "\(error)")
    }

    /// Values are tried, too: one that takes too long is refused until there is another.
    @Test func valuesThatTakeTooLongAreRefused() throws {
        let test = try TestWall()
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer()))
        let plain = try test.picture(Self.size)
        let text = """
            //! param n int 0 2000000 10
            vec4 effect(vec2 uv) {
                vec4 sum = vec4(0.0);
                for (int i = 0; i < n; i++) sum += sin(sum + sample(uv + float(i) * 1e-4 + sum.xy));
                return vec4(1.0) + 1e-9 * sum;
            }
            """
        tile.effects = EffectChain([try Effect(text, file: "slow.effect.glsl", folder: NoFiles())])
        let white = try test.picture(Self.size)
        #expect(white.pixel(3, 3) == [255, 255, 255] && tile.notice == nil)
        for _ in 0..<2 {
            _ = tile.effects.steps[0].set("n", .int(2_000_000))
            _ = try test.picture(Self.size)
            let error = try #require(tile.report.effectFailure)
            #expect(error.line == 4 && error.reason.hasPrefix("one picture would take about "), "\(error)")
            #expect(try test.picture(Self.size).pixel(3, 3) == plain.pixel(3, 3))
            _ = tile.effects.steps[0].set("n", .int(20))
            #expect(try test.picture(Self.size) == white && tile.notice == nil)
        }
    }

    /// A pass of one pixel takes no longer than that pixel.
    @Test func fewPixelsAreNotTakenForMany() throws {
        let test = try TestWall()
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer()))
        let text =
            "//! pass one size 1x1\nvec4 one_pass(vec2 uv) { float n = 0.0; for (;;) n += sin(n); return vec4(n); }\n"
            + "vec4 effect(vec2 uv) { return sample(uv) + 0.0 * texture(one, uv); }"
        tile.effects = EffectChain([try Effect(text, file: "one.effect.glsl", folder: NoFiles())])
        _ = try test.picture(Self.size)
        #expect(tile.notice == nil)
    }

    /// What the trial leaves behind spoils neither this effect's picture nor other tiles.
    @Test func theTrialLeavesNoTrace() throws {
        let text = """
            //! pass counts size 8x1 points 16x9
            //! pass small scale 0.5
            vec2 counts_place(vec2 uv) { return uv; }
            vec4 counts_pass(vec2 uv) { return vec4(0.01); }
            vec4 small_pass(vec2 uv) { return sample(uv); }
            vec4 effect(vec2 uv) { return texture(small, uv) + texture(counts, uv) + 0.1 * previous(uv); }
            """
        let pictures = try [nil, NoFiles()].map { folder in
            let test = try TestWall()
            let frames = try [PixelFormat.rgb24, .i420].map {
                VideoFrame(try TestPicture.noise($0, VideoSize(width: 32, height: 18)).buffer())
            }
            for frame in frames { test.add(frame) }
            let size = VideoSize(width: 128, height: 72)
            _ = try test.picture(size)
            let before = test.context.textureCount
            test.wall.tiles[0].effects = EffectChain([try Effect(text, file: "x", folder: folder)])
            let picture = try test.picture(size)
            #expect(test.wall.tiles.allSatisfy { $0.notice == nil })
            return (picture, test.context.textureCount - before)
        }
        #expect(pictures[0] == pictures[1])
    }
}

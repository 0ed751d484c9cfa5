import Foundation
import MediaIO
import TestSupport
import Testing
import VideoWall

@testable import GLRendering

/// What effects read besides the picture before them.
@Suite(.everyRenderer) struct EffectInputTests {
    private static let size = VideoSize(width: 32, height: 18)

    private static func frame(_ format: PixelFormat = .rgb24) throws -> VideoFrame {
        VideoFrame(try TestPicture.noise(format, size).buffer())
    }

    /// The first pixel of a picture with an effect, which is the same for all of them.
    private func color(
        _ text: String, folder: (any EffectFolder)? = nil,
        _ configure: (inout EffectChain.Step, Wall) -> Void = { _, _ in }
    ) throws -> [Double] {
        let test = try TestWall()
        var step = EffectChain.Step(try Effect(text, file: "test.effect.glsl", folder: folder))
        configure(&step, test.wall)
        let picture = try test.floats(of: Self.frame(), Self.size) { $0.effects = EffectChain([step]) }
        #expect(test.wall.tiles[0].notice == nil)
        #expect(picture.allSatisfy { $0 == picture[0] })
        return picture[0]
    }

    /// A comment that keeps an effect from being folded, so that it is tested in both ways.
    static let ways = ["", "#define unused\n"]

    @Test(arguments: ways) func parametersHaveTheirValues(_ way: String) throws {
        let text = """
            \(way)//! param a float 0 1 0.25
            //! param b int -9 9 3
            //! param c bool true
            //! param d color #336699
            //! param e point 0.5 0.75
            //! param f choice one,two,three two
            vec4 effect(vec2 uv) {
                float inside = float(b == 3 && c && f == f_two && f != f_one && f_three == 2);
                return vec4(a, d.g * inside, e.y * 0.5 + d.r * 0.5, 1.0) + 0.0 * sample(uv);
            }
            """
        func check(_ color: [Double], _ expected: [Double]) {
            for index in 0..<3 { #expect(abs(color[index] - expected[index]) < 1e-5) }
        }
        check(try color(text), [0.25, 0.4, 0.475])
        let changed = try color(text) { step, _ in
            _ = step.set("a", .float(0.75))
            _ = step.set("d", .color(SIMD3(0, 1, 0)))
            _ = step.set("e", .point(SIMD2(0, 0.5)))
        }
        check(changed, [0.75, 1, 0.25])
        check(try color(text) { step, _ in _ = step.set("f", .choice(0)) }, [0.25, 0, 0.475])
    }

    @Test(arguments: ways) func theTimeAndTheMouseAreKnown(_ way: String) throws {
        let text = "\(way)vec4 effect(vec2 uv) { return vec4(time, mouse, 1.0) + 0.0 * sample(uv); }"
        let color = try color(text) { _, wall in
            wall.time = .milliseconds(250)
            wall.mouse = SIMD2(8, 9)
        }
        #expect(abs(color[0] - 0.25) < 1e-6 && abs(color[1] - 0.25) < 1e-6 && abs(color[2] - 0.5) < 1e-6)
        // After a year it still changes from picture to picture.
        let late = try self.color(text) { _, wall in wall.time = .seconds(1000 * 32768) + .milliseconds(250) }
        #expect(abs(late[0] - 0.25) < 1e-6)
        // Outside, both are -1, which is shown as 0.
        let outside = try self.color(text) { _, wall in wall.mouse = SIMD2(-3, 9) }
        #expect(outside == [0, 0, 0])
    }

    @Test(arguments: ways) func aChangeOfTimeIsDrawnIfItMatters(_ way: String) throws {
        let test = try TestWall()
        let tile = test.add(try Self.frame())
        _ = try test.picture(Self.size)
        test.wall.time += .seconds(1)
        #expect(!test.wall.hasChanges && !test.wall.isAnimated)
        tile.effects = EffectChain([
            try Effect(
                "\(way)vec4 effect(vec2 uv) { return vec4(vec3(fract(time)), 1.0) + 0.0 * sample(uv); }", file: "a")
        ])
        let target = try test.renderer.makeOffscreenTarget(size: Self.size)
        #expect(try test.renderer.render(test.wall, into: target))
        #expect(test.wall.isAnimated && !test.wall.hasChanges)
        test.wall.time += .milliseconds(500)
        #expect(test.wall.hasChanges)
        #expect(try test.renderer.render(test.wall, into: target))
        #expect(try target.readPixels()[0] == 128)
        #expect(try !test.renderer.render(test.wall, into: target))
    }

    @Test func thePreviousResultIsRead() throws {
        let test = try TestWall()
        let text = "vec4 effect(vec2 uv) { return vec4(frameNumber == 0 ? vec3(0.0) : previous(uv).rgb + 0.125, 1.0); }"
        let tile = test.add(try Self.frame())
        // What follows the effect is no part of its result.
        let double = try Effect("vec4 effect(vec2 uv) { return vec4(2.0 * sample(uv).rgb, 1.0); }", file: "b")
        tile.effects = EffectChain([try Effect(text, file: "a"), double])
        let target = try test.renderer.makeOffscreenTarget(size: Self.size)
        for frame in 0..<4 {
            // Drawing the same frame again changes nothing.
            for redraw in 0..<2 {
                try test.renderer.render(test.wall, into: target)
                let value = Int(try target.readPixels()[0])
                #expect(abs(value - 255 * frame / 4) <= 1, "frame \(frame), drawn \(redraw + 1) times")
                tile.label = "\(redraw)"
            }
            tile.mailbox.put(try Self.frame())
        }
        // Another size: there is no previous result.
        let smaller = VideoSize(width: 16, height: 9)
        let other = try test.renderer.makeOffscreenTarget(size: smaller)
        tile.effects = EffectChain([try Effect("vec4 effect(vec2 uv) { return previous(uv); }", file: "a")])
        try test.renderer.render(test.wall, into: other)
        let plain = try other.readPixels()
        tile.effects = EffectChain()
        try test.renderer.render(test.wall, into: other)
        let difference = zip(plain, try other.readPixels()).map { abs(Int($0) - Int($1)) }.max()
        #expect(difference == 0 || difference == 1)
    }

    @Test func theFramesOwnValuesAreRead() throws {
        let test = try TestWall()
        let picture = TestPicture.noise(.i444, Self.size)
        let frame = VideoFrame(try picture.buffer())
        let chain = EffectChain([try Effect("vec4 effect(vec2 uv) { return planes(uv); }", file: "a")])
        let shown = try test.floats(of: frame, Self.size) { $0.effects = chain }
        var worst = LargestError()
        try frame.pixelBuffer.withPlane(1) { plane in
            for y in 0..<18 {
                for x in 0..<32 {
                    let value = Double(plane.bytes[y * plane.bytesPerRow + x]) / 255
                    worst.add(shown[y * 32 + x][1] - value)
                }
            }
        }
        #expect(worst.value < 0.3 / 255)
    }

    @Test func passesAreReadInTheirSizes() throws {
        let text = """
            //! pass smaller scale 0.5
            //! pass tiny size 3x2
            //! pass counts size 4x1 points 8x8
            vec4 smaller_pass(vec2 uv) { return vec4(resolution / 64.0, pictureSize / 64.0); }
            vec4 tiny_pass(vec2 uv) { return vec4(uv, resolution); }
            vec2 counts_place(vec2 uv) { return vec2(uv.x < 0.5 ? 0.125 : 0.875, 0.5); }
            vec4 counts_pass(vec2 uv) { return vec4(1.0, 0.5, 0.0, 0.0); }
            vec4 effect(vec2 uv) {
                bool right = texture(smaller, uv) == vec4(0.25, 9.0 / 64.0, 0.5, 18.0 / 64.0)
                    && textureSize(smaller, 0) == ivec2(16, 9) && textureSize(tiny, 0) == ivec2(3, 2)
                    && abs(texelFetch(tiny, ivec2(2, 1), 0).x - 5.0 / 6.0) < 1e-3
                    && abs(texelFetch(tiny, ivec2(2, 1), 0).y - 0.75) < 1e-3
                    && texelFetch(counts, ivec2(0, 0), 0) == vec4(32.0, 16.0, 0.0, 0.0)
                    && texelFetch(counts, ivec2(1, 0), 0) == vec4(0.0)
                    && texelFetch(counts, ivec2(3, 0), 0).r == 32.0;
                return vec4(right ? 1.0 : 0.0);
            }
            """
        #expect(try color(text) == [1, 1, 1])
    }

    private struct Folder: EffectFolder {
        func text(ofFile name: String) throws(EffectError) -> String {
            guard name == "part.glsl" else { throw EffectError("there is no such file", file: name) }
            return "const float part = 0.5;\n"
        }

        func image(ofFile name: String) throws(EffectError) -> EffectTexture.Image {
            // Two columns and two rows: red, green; blue, white.
            EffectTexture.Image(
                width: 2, height: 2, rgba: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255])
        }
    }

    @Test(arguments: ways) func texturesAndIncludesAreRead(_ way: String) throws {
        let text = """
            \(way)//! texture smooth_one a.png
            //! texture hard a.png nearest
            //! texture wrapped a.png nearest repeat
            #include "part.glsl"
            vec4 effect(vec2 uv) {
                bool right = texture(hard, vec2(0.9, 0.1)).rgb == vec3(0.0, 1.0, 0.0)
                    && texture(hard, vec2(-9.9, 0.9)).rgb == vec3(0.0, 0.0, 1.0)
                    && texture(wrapped, vec2(1.1, -0.9)).rgb == vec3(1.0, 0.0, 0.0)
                    && abs(texture(smooth_one, vec2(0.5, 0.25)).r - part) < 0.01;
                return vec4(right ? 1.0 : 0.0) + 0.0 * sample(uv);
            }
            """
        #expect(try color(text, folder: Folder()) == [1, 1, 1])
    }

    @Test func anotherTileIsRead() throws {
        let test = try TestWall()
        let (one, two) = (try Self.frame(), try Self.frame(.nv12))
        let size = VideoSize(width: 64, height: 18)
        let first = test.add(one, filter: .nearest)
        let second = test.add(two, filter: .nearest)
        let plain = try test.picture(size)
        first.effects = EffectChain([
            try Effect("//! param with tile 2\nvec4 effect(vec2 uv) { return with(uv); }", file: "a")
        ])
        func checkSame() throws {
            let changed = try test.picture(size)
            for y in 0..<18 {
                for x in 0..<32 {
                    let (shown, expected) = (changed.pixel(x, y), changed.pixel(x + 32, y))
                    #expect(zip(shown, expected).allSatisfy { abs($0 - $1) <= 1 })
                }
            }
            #expect(changed.pixel(40, 9) == plain.pixel(40, 9))
        }
        try checkSame()
        // Its own effects do not count, but a new frame does, even while it is hidden.
        second.effects = EffectChain([
            try Effect("vec4 effect(vec2 uv) { return vec4(1.0) - sample(uv); }", file: "b")
        ])
        second.effects = EffectChain()
        test.wall.focus = first.id
        second.mailbox.put(try Self.frame(.i420))
        #expect(test.wall.hasChanges)
        _ = try test.picture(size)
        test.wall.focus = nil
        _ = try test.picture(size)
        // A tile that is not there is transparent.
        test.wall.remove(second)
        #expect(try test.picture(size).pixel(9, 9) == [0, 0, 0])
    }
}

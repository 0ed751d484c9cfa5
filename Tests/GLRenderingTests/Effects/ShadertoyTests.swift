import MediaIO
import TestSupport
import Testing
import VideoWall

/// Shadertoy image shaders, as they are published.
@Suite struct ShadertoyTests {
    private static let size = VideoSize(width: 48, height: 27)

    private func pictures(
        _ text: String, _ configure: (Wall) -> Void = { _ in }
    ) throws -> (plain: FloatPicture, changed: FloatPicture) {
        let test = try TestWall()
        let frame = VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer())
        let plain = try test.floats(of: frame, Self.size)
        configure(test.wall)
        let chain = EffectChain([try Effect(text, file: "toy.shadertoy.glsl", dialect: .shadertoy)])
        let changed = try test.floats(of: frame, Self.size) { $0.effects = chain }
        #expect(test.wall.tiles[0].notice == nil)
        return (plain, changed)
    }

    private func difference(_ one: FloatPicture, _ other: FloatPicture) -> Double {
        var worst = LargestError()
        for pixel in one.indices { for index in 0..<3 { worst.add(one[pixel][index] - other[pixel][index]) } }
        return worst.value * 255
    }

    @Test(arguments: ["iChannel0", "iChannel3"]) func theStreamIsUpright(_ channel: String) throws {
        let (plain, sampled) = try pictures(
            """
            void mainImage( out vec4 fragColor, in vec2 fragCoord )
            {
                vec2 uv = fragCoord/iResolution.xy;
                fragColor = texture(\(channel), uv);
            }
            """)
        #expect(difference(plain, sampled) < 0.3)
        let (_, fetched) = try pictures(
            "void mainImage(out vec4 o, vec2 p) { o = vec4(texelFetch(\(channel), ivec2(p), 0).rgb, 0.0); }")
        #expect(difference(plain, fetched) < 0.3)
    }

    @Test func coordinatesAreUpwards() throws {
        let (_, drawn) = try pictures(
            "void mainImage(out vec4 o, in vec2 p) { o.rg = p / iResolution.xy; o.b = fract(p.x) == 0.5 ? 1. : 0.; }")
        for (x, y) in [(0, 0), (47, 0), (10, 26)] {
            let color = drawn[y * 48 + x]
            #expect(abs(color[0] - (Double(x) + 0.5) / 48) < 1e-4)
            #expect(abs(color[1] - (26.5 - Double(y)) / 27) < 1e-4)
            #expect(color[2] == 1)
        }
    }

    /// Names that our own effects have are free, and so are the idioms of many published shaders.
    @Test func namesAreFree() throws {
        let (_, drawn) = try pictures(
            """
            precision highp float;
            #define time iTime
            #define resolution iResolution.xy
            vec4 sample(vec2 p) { return vec4(p, 0.0, 1.0); }
            float luma(vec3 c) { return dot(c, vec3(1.0 / 3.0)); }
            const vec2 mouse = vec2(0.25), previous = vec2(0.0);
            vec4 effects() { return sample(mouse + previous); }
            void mainImage(out vec4 fragColor, in vec2 fragCoord) {
                vec2 planes = fragCoord / resolution;
                fragColor = effects() + 0.0 * vec4(planes, luma(vec3(planes, 1.0)), 0.0);
                fragColor.b = time + iChannelTime[1] + iDate.w - 2.0 * iTime + float(iFrame) + iMouse.x;
            }
            """
        ) { $0.time = .milliseconds(500) }
        #expect(drawn.allSatisfy { abs($0[0] - 0.25) < 1e-6 && abs($0[1] - 0.25) < 1e-6 && abs($0[2] - 0.5) < 1e-6 })
    }

    /// Functions with the names of ours, comments like our headers, and pixels that are left out.
    @Test func publishedHabitsWork() throws {
        let (_, drawn) = try pictures(
            """
            //! A shader of mine
            //!!! WARNING: strobes
            float effect(vec2 uv) { return uv.x; }
            void mainImage(out vec4 o, in vec2 p) {
                if (p.x < 10.0) discard;
                o = vec4(effect(vec2(0.5)), iDate.x / 4000.0, iDate.w / 86400.0, 1.0);
            }
            """
        ) { $0.date = SIMD4(2000, 11, 24, 43_200) }
        #expect(drawn[5 * 48 + 3] == [0, 0, 0])
        let color = drawn[5 * 48 + 30]
        #expect(color.allSatisfy { abs($0 - 0.5) < 1e-4 }, "\(color)")
    }

    @Test func theMouseIsUpwards() throws {
        let (_, drawn) = try pictures(
            "void mainImage(out vec4 o, in vec2 p) { o = vec4(iMouse.xy / iResolution.xy, iMouse.z > 0.0, 1.0); }"
        ) { $0.mouse = SIMD2(12, 20.25) }
        #expect(abs(drawn[0][0] - 0.25) < 1e-5 && abs(drawn[0][1] - 0.25) < 1e-5 && drawn[0][2] == 1)
    }

    @Test func timeIsDrawnIfItIsUsed() throws {
        func isAnimated(_ text: String) throws -> Bool {
            EffectChain([try Effect(text, file: "x", dialect: .shadertoy)]).isAnimated
        }
        #expect(try isAnimated("void mainImage(out vec4 o, vec2 p) { o = vec4(sin(iTime)); }"))
        #expect(try !isAnimated("void mainImage(out vec4 o, vec2 p) { o = vec4(1.0); }"))
    }

    @Test func errorsNameTheirLines() throws {
        let test = try TestWall()
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer()))
        let text = "// One.\nvoid mainImage(out vec4 o, vec2 p) {\n    o = unknown;\n}\n"
        tile.effects = EffectChain([try Effect(text, file: "toy.shadertoy.glsl", dialect: .shadertoy)])
        _ = try test.picture(Self.size)
        #expect(tile.report.effectFailure?.line == 3 && tile.report.effectFailure?.source == "    o = unknown;")
        let error = try #require(throws: EffectError.self) {
            try Effect("vec4 effect(vec2 uv) { return vec4(0.0); }", file: "x", dialect: .shadertoy)
        }
        #expect(error.reason.contains("mainImage"))
    }
}

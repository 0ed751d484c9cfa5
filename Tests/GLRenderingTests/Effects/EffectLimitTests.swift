import MediaIO
import TestSupport
import Testing
import VideoWall
import VitrailGL

/// Chains that need too much memory, and long effects that do not.
@Suite struct EffectLimitTests {
    private static let size = VideoSize(width: 16, height: 9)
    private static let invert = "vec4 effect(vec2 uv) { return vec4(1.0 - sample(uv).rgb, 1.0); }\n"

    /// The units of the four planes of a frame, then those of the effects; uploads use the last one.
    @Test func thereAreUnitsForAllTextures() { #expect(4 + EffectLimits.textures == Texture.uploadUnit) }

    /// A chain that a program makes is bounded, too: the effects that there is no room for are left out.
    @Test(arguments: [false, true]) func longChainsAreCut(_ isOnWall: Bool) throws {
        let test = try TestWall(with: .gl)
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer()))
        let plain = try test.picture(Self.size)
        let chain = EffectChain(Array(repeating: try Effect(Self.invert, file: "invert.effect.glsl"), count: 2000))
        if isOnWall { test.wall.effects = chain } else { tile.effects = chain }
        // An even number of them is applied.
        let drawn = try test.picture(Self.size)
        #expect(zip(drawn.bytes, plain.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        let error = try #require(isOnWall ? test.wall.report.effectFailure : tile.report.effectFailure)
        #expect(error.reason.contains("at most 32 effects"), "\(error)")
    }

    @Test func chainsThatNeedTooMuchMemoryAreCut() throws {
        let test = try TestWall(with: .gl)
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer()))
        let plain = try test.picture(Self.size)
        let passes = (0..<8).map { "//! pass p\($0) size 4096x4096 points 1x1\n" }.joined()
        let functions = (0..<8).map {
            "vec2 p\($0)_place(vec2 uv) { return uv; }\nvec4 p\($0)_pass(vec2 uv) { return vec4(0.0); }\n"
        }
        let large = try Effect(passes + functions.joined() + Self.invert, file: "large.effect.glsl")
        let small = try Effect(Self.invert, file: "invert.effect.glsl")
        tile.effects = EffectChain([large, small])
        let picture = try test.picture(Self.size)
        let error = try #require(tile.report.effectFailure)
        #expect(error.file == "large.effect.glsl" && error.reason.contains("need 2048 MB at 16x9"), "\(error)")
        // The other one is applied.
        #expect(picture.pixel(3, 3) == plain.pixel(3, 3).map { 255 - $0 })
        tile.effects = EffectChain([small])
        #expect(try test.picture(Self.size) == picture && tile.report.effectFailure == nil)
    }

    /// A long shader of the usual kind: macros, conditions, a scene of many parts, marching, shadows and noise.
    private static let longShader: String = {
        let parts = (0..<40).map { index in
            """
            float part\(index)(vec3 p) {
                p.xz *= ROT(\(index).0 * 0.1 + iTime);
                vec3 q = abs(p - vec3(\(index % 7).0, \(index % 5).0, float(\(index)) * 0.5)) - vec3(0.4, 0.3, 0.2);
                float d = length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
                return d - 0.05 * sin(p.x * 4.0 + iTime) * (p.y > 0.0 ? 1.0 : p.y > -1.0 ? 0.5 : 0.25);
            }

            """
        }
        let scene = (0..<3).map { "    d = SMIN(d, part\($0)(p));\n" }.joined()
        return """
            #define AA 1
            #define ROT(a) mat2(cos(a), sin(a), -sin(a), cos(a))
            #define SMIN(a, b) min(a, b)
            #ifdef GL_ES
            precision highp float;
            #endif
            const vec3 palette[4] = vec3[](vec3(0.1), vec3(0.4, 0.2, 0.1), vec3(0.2, 0.5, 0.7), vec3(1.0));
            float hash(float n) { return fract(sin(n) * 43758.5453); }
            float hash(vec2 p) { return hash(dot(p, vec2(12.9898, 78.233))); }
            float noise(vec2 p) {
                vec2 i = floor(p), f = fract(p);
                f = f * f * (3.0 - 2.0 * f);
                return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + 1.0), f.x), f.y);
            }
            float fbm(vec2 p) {
                float sum = 0.0, scale = 0.5;
                for (int i = 0; i < 2; i++) { sum += scale * noise(p); p *= 2.0; scale *= 0.5; }
                return sum;
            }
            \(parts.joined())
            float map(vec3 p) {
                float d = p.y + 1.0 + 0.2 * fbm(p.xz);
            \(scene)    return d;
            }
            vec3 normal(vec3 p) {
                vec3 n = vec3(0.0);
                for (int i = min(0, iFrame); i < 4; i++) {
                    vec3 e = 0.5773 * (2.0 * vec3((((i + 3) >> 1) & 1), ((i >> 1) & 1), (i & 1)) - 1.0);
                    n += e * map(p + 0.0005 * e);
                }
                return normalize(n);
            }
            float march(vec3 o, vec3 d) {
                float t = 0.0;
                for (int i = 0; i < 2; i++) { float h = map(o + t * d); if (h < 0.001 || t > 20.0) break; t += h; }
                return t;
            }
            vec3 render(vec2 p) {
                vec3 o = vec3(0.0, 1.0, -4.0), d = normalize(vec3(p, 1.5));
                float t = march(o, d);
                if (t > 20.0) return texture(iChannel0, 0.5 + 0.5 * p).rgb;
                vec3 n = normal(o + t * d);
                float light = clamp(dot(n, normalize(vec3(1, 2, -1))), 0.0, 1.0);
                return palette[int(t) & 3] * light * (march(o + t * d + 0.01 * n, vec3(0, 1, 0)) > 5.0 ? 1.0 : 0.3);
            }
            void mainImage(out vec4 fragColor, in vec2 fragCoord) {
                vec3 total = vec3(0.0);
            #if AA > 1
                for (int m = 0; m < AA; m++)
                for (int n = 0; n < AA; n++) {
                    vec2 p = (2.0 * (fragCoord + vec2(float(m), float(n)) / float(AA)) - iResolution.xy) / iResolution.y;
            #else
                    vec2 p = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
            #endif
                    total += render(p);
            #if AA > 1
                }
                total /= float(AA * AA);
            #endif
                fragColor = vec4(sqrt(total), 1.0);
            }
            """
    }()

    @Test func aLongShaderIsDrawn() throws {
        #expect(Self.longShader.split(separator: "\n").count > 300)
        let test = try TestWall(with: .gl)
        let tile = test.add(VideoFrame(try TestPicture.noise(.rgb24, Self.size).buffer()))
        let plain = try test.picture(Self.size)
        tile.effects = EffectChain([try Effect(Self.longShader, file: "long.shadertoy.glsl", dialect: .shadertoy)])
        let drawn = try test.picture(Self.size)
        #expect(tile.report.effectFailure == nil, "\(tile.report.effectFailure?.description ?? "")")
        #expect(drawn != plain)
    }
}

import Testing
import VideoWall

/// Which effects may be folded into another draw: those that read the picture only at their own pixel.
@Suite struct EffectFoldingTests {
    @Test(arguments: [
        "vec4 effect(vec2 uv) { return sample(uv); }",
        "vec4 effect(vec2 p) { vec4 c = sample(p); return c * p.x + (p.y == 0.5 ? c : vec4(0.0)); }",
        "const float one = 1.0, two[2] = float[2](1.0, 2.0); float helper(float x) { return x * one; }\n"
            + "vec4 effect(vec2 uv) { vec4 uvs = sample(uv); return uvs * helper(-uv.x - uv.y) / 2.0; }",
        "// sample(uv + 1.0)\nvec4 effect(vec2 uv) { /* #define sample */ return vec4(luma(sample(uv).rgb)); }",
    ]) func ofOnePixel(_ text: String) throws {
        #expect(try Effect(text, file: "x").traits.isFoldable)
    }

    @Test(arguments: [
        "vec4 effect(vec2 uv) { return sample(uv + 0.1); }",
        "vec4 effect(vec2 uv) { return sample(uv.yx); }",
        "vec4 effect(vec2 uv) { return sample((uv)); }",
        "vec4 effect(vec2 uv) { uv.x = 0.5; return sample(uv); }",
        "vec4 effect(vec2 uv) { uv *= 0.5; return sample(uv); }",
        "vec4 effect(vec2 uv) { uv[0] = 0.5; return sample(uv); }",
        "vec4 effect(vec2 uv) { ++uv; return sample(uv); }",
        "vec4 effect(vec2 uv) { uv++; return sample(uv); }",
        "vec4 effect(vec2 uv) { { vec2 uv = vec2(0.0); return sample(uv); } }",
        "void f(inout vec2 p) { p *= 2.0; } vec4 effect(vec2 uv) { f(uv); return sample(uv); }",
        "vec4 g(vec2 uv) { return sample(uv); } vec4 effect(vec2 uv) { return g(uv * 2.0); }",
        "#define s sample\nvec4 effect(vec2 uv) { return s(uv); }",
        "vec4 effect(vec2 uv) { return previous(uv); }",
        "vec4 effect(vec2 uv) { return planes(uv); }",
        "//! param with tile 1\nvec4 effect(vec2 uv) { return with(uv); }",
        "//! pass a\nvec4 a_pass(vec2 uv) { return vec4(0.0); } vec4 effect(vec2 uv) { return sample(uv); }",
        "struct S { float x; }; vec4 effect(vec2 uv) { return sample(uv); }",
        // Renaming it would rename the component of a vector, too.
        "//! param xy float 0 1 0\nvec4 effect(vec2 uv) { return sample(uv) * xy; }",
    ]) func ofMore(_ text: String) throws {
        #expect(try !Effect(text, file: "x").traits.isFoldable)
    }
}

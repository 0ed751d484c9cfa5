import Testing
import VideoWall

/// What drivers cannot compile in a reasonable time is refused, with its line.
@Suite struct EffectSizeTests {
    private static let body = "vec4 effect(vec2 uv) { return sample(uv); }\n"

    /// Each function calls the one before twice.
    private static func doubling(_ count: Int) -> String {
        "float f0(float x) { return x; }\n"
            + (1...count).map { "float f\($0)(float x) { return f\($0 - 1)(x) + f\($0 - 1)(x + 1.0); }\n" }.joined()
            + "vec4 effect(vec2 uv) { return vec4(f\(count)(uv.x)); }\n"
    }

    @Test(arguments: [
        (doubling(16), 14, "“f13”"),
        (
            "#define A0 x\n" + (1...20).map { "#define A\($0) A\($0 - 1) + A\($0 - 1)\n" }.joined()
                + "vec4 effect(vec2 uv) { float x = 1.0; return vec4(A20); }\n", 16, "“A15”"
        ),
        (body + "float q[5000];\n", 2, "4096"),
        (body + "\nfloat f() { float q[100000000000000000000]; return q[0]; }\n", 3, "4096"),
        (body + "const int N = 1000000;\nfloat q[N];\n", 3, "4096"),
        (body + "#define N 1000000u\nfloat q[ N ];\n", 3, "4096"),
    ]) func theLineIsNamed(_ text: String, _ line: Int, _ words: String) throws {
        let error = try #require(throws: EffectError.self) { try Effect(text, file: "a") }
        #expect(error.line == line && error.reason.contains(words) && error.source != nil, "\(error)")
    }

    @Test(arguments: [
        doubling(8), body + "float q[4096]; const uint K = 1103515245u; uint r(uint x) { return x * K + 12345u; }",
        // Overloads and recursion, which is the compiler's to refuse.
        "float f(float x) { return x; } float f(vec2 x) { return f(x.x) + f(x.y); } float g() { return h(); }\n"
            + "float h() { return g(); }\n" + body,
    ]) func othersAreAccepted(_ text: String) throws { _ = try Effect(text, file: "a") }

    @Test func parametersAreCounted() throws {
        func text(_ count: Int, _ type: String) -> String {
            (0..<count).map { "//! param p\($0) \(type)\n" }.joined() + Self.body
        }
        _ = try Effect(text(64, "color #ffffff"), file: "a")
        _ = try Effect(text(11, "tile 1"), file: "a")
        let many = try #require(throws: EffectError.self) { try Effect(text(65, "color #ffffff"), file: "a") }
        #expect(many.line == 65 && many.reason.contains("64 parameters"))
        let tables = try #require(throws: EffectError.self) { try Effect(text(12, "lut"), file: "a") }
        #expect(tables.line == 12 && tables.reason.contains("11 textures"))
    }

    @Test(arguments: ["main", "float", "mix", "step"]) func wordsOfGLSLAreNoNames(_ name: String) throws {
        let error = try #require(throws: EffectError.self) {
            try Effect("//! param \(name) bool true\n\(Self.body)", file: "a")
        }
        #expect(error.line == 1 && error.reason.contains("word of GLSL"))
    }
}

import Testing
import VideoWall

/// What drivers cannot compile in a reasonable time is refused, with its line.
@Suite struct CompileCostTests {
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
                + "vec4 effect(vec2 uv) { float x = 1.0; return vec4(A20); }\n", 22, "this line is too long"
        ),
        (body + "float q[5000];\n", 2, "4096"),
        (body + "float q[64*100];\n", 2, "4096"),
        (body + "const int N = 8 * 8;\nfloat q[N * N + 1];\n", 3, "4096"),
        (body + "const int N = int(1e9);\nfloat q[N];\n", 3, "as a number"),
        (body + "float q[2049];\n", 1, "2048 numbers"),
        (
            body + "float f() { vec4 q[40]; return q[0].x; }\n"
                + "float g() { return \(sum(13, "f()")); }\n", 3, "“g” has more than 2048 numbers"
        ),
        // Structures that double.
        (
            body + "struct S0 { vec4 a; };\n" + (1...40).map { "struct S\($0) { S\($0 - 1) a, b; };\n" }.joined(), 12,
            "structure"
        ),
        (body + "float f() { \(String(repeating: "sin(1.0); ", count: 1001)) return 1.0; }\n", 2, "too long"),
        (body + "float g = 0.0 \(String(repeating: "+1.0", count: 256));\n", 2, "256 brackets"),
        ("\(body)#ifdef GL_ARB_shading_language_420pack\n#endif\n", 2, "depends on the driver"),
        // Overloads of which only the compiler knows which one is called.
        (
            "float f(vec2 x);\nfloat g() { return f(vec2(1.0)); }\nfloat f(float x) { return x; }\n"
                + "float f(vec2 x) { return f(x.x); }\n" + body, 2, "“f” has several definitions"
        ),
        // In the branch that is compiled, whichever that is.
        ("#if defined(GL_ES) && __VERSION__ == 300\nfloat q[9999];\n#endif\n\(body)", 2, "4096"),
        ("#ifndef GL_ES\nfloat q[9999];\n#endif\n\(body)", 2, "4096"),
        (body + "\nfloat f() { float q[100000000000000000000]; return q[0]; }\n", 3, "4096"),
        (body + "const int N = 1000000;\nfloat q[N];\n", 3, "4096"),
        (body + "#define N 1000000u\nfloat q[ N ];\n", 3, "4096"),
        // Of two constants with one name, whichever is meant.
        (
            body + "const int N = int(1e6);\nfloat f() { const int N = 1; return 1.0; }\nfloat q[N];\n", 4,
            "number of elements"
        ),
        (
            body + "const int N = 4;\nfloat f() { const int N = int(1e6);\nfloat q[N]; return q[0]; }\n", 4,
            "number of elements"
        ),
        (
            body + "const int N = 1;\nfloat f() { const int N = -3000;\nfloat q[N == 1 ? 1 : 9000]; return q[0]; }\n",
            4, "elements"
        ),
        (body + "const int N = \(String(repeating: "1+", count: 40))1000000;\nfloat q[N];\n", 3, "number of elements"),
    ]) func theLineIsNamed(_ text: String, _ line: Int, _ words: String) throws {
        let error = try #require(throws: EffectError.self) { try Effect(text, file: "a") }
        #expect(error.line == line && error.reason.contains(words) && error.source != nil, "\(error)")
    }

    @Test(arguments: [
        doubling(8),
        body
            + "const float q[4096]; float p[2048]; const uint K = 1103515245u; uint r(uint x) { return x * K + 12345u; }",
        // Variables whose names begin like types.
        body + "const float matrix[4] = float[4](1., 2., 3., 4.); float f(int i) { return matrix[i] * vectors[i]; }",
        // Overloads and recursion, which is the compiler's to refuse.
        "float f(float x) { return x; } float f(vec2 x) { return f(x.x) + f(x.y); } float g() { return h(); }\n"
            + "float h() { return g(); }\n" + body,
    ]) func othersAreAccepted(_ text: String) throws { _ = try Effect(text, file: "a") }

    private static func sum(_ count: Int, _ term: String) -> String {
        Array(repeating: term, count: count).joined(separator: " + ")
    }

    /// Brackets that are in pairs only where conditions hold.
    @Test(arguments: ["0", "1", "2"]) func onlyCompiledBranchesCount(_ samples: String) throws {
        _ = try Effect(
            """
            #define AA \(samples)
            #if 0
            ((((( this is no GLSL }}}
            float q[9999];
            #endif
            vec4 effect(vec2 uv) {
                vec4 sum = vec4(0.0);
            #if AA > 1
                for (int i = 0; i < AA; i++) {
                    vec2 p = uv + float(i);
            #else
                vec2 p = uv;
            #endif
                sum += sample(p);
            #if AA > 1
                }
                sum /= float(AA);
            #endif
                return sum;
            }
            """, file: "a")
    }

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

import Testing

@testable import VitrailGLSL

/// What a compiler sees of an effect.
@Suite struct GLSLPreprocessorTests {
    private func tokens(_ text: String, _ language: GLSLPreprocessor.Language = .desktop) throws -> String {
        try GLSLPreprocessor([GLSLToken.tokens(of: text)], language).tokens.map(\.token.text).joined(separator: " ")
    }

    @Test(arguments: [
        ("#define A 1\nA B A", "1 B 1"), ("#define A B\n#define B A\nA B", "A B"),
        ("#define F(x) x + x\nF(a * b) F", "a * b + a * b F"), ("#define F(x) x + x\nF(F(a))", "a + a + a + a"),
        ("#define F (x) y\nF(a)", "( x ) y ( a )"), ("#define F(x, y) y x\nF((a, b), c)", "c ( a , b )"),
        ("#define F(x) G\n#define G(x) x\nF(a)(b)", "b"), ("#define G F\n#define F(x) x\nG(a)", "a"),
        ("#define F(f, x) f x\n#define G(x) x x\nF(G, (a))", "a a"), ("#define A 1\n#undef A\nA", "A"),
        ("#define A 1 \\\n + 2\nA", "1 + 2"), ("#define F() a\nF()", "a"), ("#define f(x) f(x)\nf(1)", "f ( 1 )"),
        ("#define F(x) x\nF(a\nb)\nc", "a b c"),
        ("#define x ;\n1.0.x.x 2..x 1u.x 5e3.x .5.x a.x", "1.0 . x . x 2. . x 1u . x 5e3 . x . 5.x a . ;"),
        ("#define F(a, b) a b\nF(1, 2)", "1 2"),
    ]) func macrosAreExpanded(_ text: String, _ expected: String) throws { #expect(try tokens(text) == expected) }

    @Test(arguments: [
        ("1", true), ("0", false), ("!0 && 1", true), ("1 + 2 * 3 == 7", true), ("(1 + 2) * 3 == 9", true),
        ("defined A", true), ("defined(B)", false), ("!defined(B) && A > 1", true), ("B", false), ("1 << 3 == 8", true),
        ("0x10 == 16 && 010 == 8 && 5u == 5", true), ("~0 == -1", true), ("7 / 2 == 3 && 7 % 2 == 1", true),
        ("1 || 0 && 0", true), ("(1 | 2 ^ 3 & 1) == 3", true), ("3 >= 3 && 2 <= 3 && 2 != 3", true),
    ]) func conditionsHold(_ condition: String, _ holds: Bool) throws {
        let text = "#define A 2\n#if \(condition)\nyes\n#else\nno\n#endif\n"
        #expect(try tokens(text) == (holds ? "yes" : "no"))
    }

    @Test func branchesAreTakenOnce() throws {
        let text =
            "#if 0\na\n#elif 1\nb\n#if 0\nc\n#else\nd\n#endif\n#elif 1\ne\n#else\nf\n#endif\n#ifdef X\ng\n#endif\nh"
        #expect(try tokens(text) == "b d h")
        let language = "#ifdef GL_ES\na\n#endif\n#if __VERSION__ >= 330\nb\n#endif"
        #expect(try tokens(language) == "b")
        #expect(try tokens(language, .es) == "a")
    }

    @Test(arguments: [
        ("#if 1 +\n#endif", 1), ("a\n#if a b\n#endif", 2), ("#if 1 / 0\n#endif", 1), ("#else", 1), ("\n#endif", 2),
        ("#ifdef\n#endif", 1), ("#if defined 1\n#endif", 1), ("#define F(x) x\n\nF(a", 3),
        ("#ifdef GL_OES_standard_derivatives\n#endif", 1), ("#if __LINE__ == 1\n#endif", 1),
        ("#ifdef iChannel1\n#endif", 1), ("#if defined(sample)\n#endif", 1), ("#ifndef noperspective\n#endif", 1),
    ]) func whatCannotBeReadIsRefused(_ text: String, _ line: Int) throws {
        let error = try #require(throws: GLSLPreprocessor.Refusal.self) { try tokens(text) }
        #expect(error.line == line, "\(error)")
    }

    /// Memory and time are bounded: each of these would be 2 to the power of 40, or recursion without end.
    @Test(arguments: [
        "#define F(x) x x\n" + String(repeating: "F(", count: 40) + "a" + String(repeating: ")", count: 40),
        (1...40).map { "#define A\($0) A\($0 - 1) A\($0 - 1)\n" }.joined() + "A40",
        (1...100_000).map { "#define A\($0) A\($0 - 1)\n" }.joined() + "A100000",
        "#define F(x) x\n" + String(repeating: "F(", count: 20_000) + String(repeating: ")", count: 20_000),
        String(repeating: "#if 1\n", count: 20_000), "#if " + String(repeating: "(", count: 20_000),
        "#define F(x) \(String(repeating: "x ", count: 20_000))\n" + String(repeating: "F()", count: 20_000),
    ]) func whatGrowsIsRefused(_ text: String) {
        #expect(throws: GLSLPreprocessor.Refusal.self) { try tokens(text) }
    }
}

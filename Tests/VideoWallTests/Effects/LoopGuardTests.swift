import Testing
import VideoWall

@testable import VitrailGLSL

/// How loops are guarded, text to text, and what is refused, with its line.
@Suite struct LoopGuardTests {
    /// G is `vitrail_go()`.
    @Test(arguments: [
        ("while (a < b) f();", "while (G && (a < b)) f();"),
        ("while(true){}", "while(G && (true)){}"),
        ("while (a, b) {}", "while (G && (a, b)) {}"),
        ("do { x++; } while (x < 9);", "do { x++; } while (G && (x < 9));"),
        ("do x++; while (f(x)); y();", "do x++; while (G && (f(x))); y();"),
        ("for (int i = 0; i < 9; i++) f(i);", "for (int i = 0; G && (i < 9); i++) f(i);"),
        ("for (;;) {}", "for (;G;) {}"),
        ("for (; ; ) {}", "for (; G; ) {}"),
        ("for (float i; i++ < 9. || g(i, 2); f(a, b)) {}", "for (float i; G && (i++ < 9. || g(i, 2)); f(a, b)) {}"),
        (
            "for (;;) for (;a;) while (b) do ; while (c);",
            "for (;G;) for (;G && (a);) while (G && (b)) do ; while (G && (c));"
        ),
        ("for\n(int i = 0;\n\n  i < 9\n; i++)\n  {}", "for\n(int i = 0;\n\n G && (i < 9\n); i++)\n {}"),
        ("if (a) while /* b */ (c) d();", "if (a) while (G && (c)) d();"),
        ("whiles (a); forbid (a; b; c); x.forth(a)", "whiles (a); forbid (a; b; c); x.forth(a)"),
        // Comments become spaces; line breaks in them are kept.
        ("a /* while (b) */ c", "a c"),
        ("a // while (b) {\nc", "a \nc"),
        ("a // b \\\nwhile (c) {\nd", "a \n\nd"),
        ("a /* \n\n */ = b", "a \n\n = b"),
        ("// for (;;)\nx/**/y", " \nx y"),
        ("a\r\nwhile (b)\r\n{}", "a \nwhile (G && (b)) \n{}"),
        // Macros.
        (
            "#define L(n) for (int i = 0; i < n; i++)\nL(9) f();",
            "#define L(n) for (int i = 0; G && (i < n); i++) \nL(9) f();"
        ),
        ("#define W(c) do { f(); } while (c)\n", "#define W(c) do { f(); } while (G && (c)) \n"),
        ("#define E for(;;)", "#define E for(;G;)"),
        (
            "#define A(x) for (;x;) \\\n  f(); /* \\\n b */ g() // c \\\n d\nh",
            "#define A(x) for (;G && (x);) \\\n f(); \\\n g() \n \nh"
        ),
        ("  # define A \\\r\n while (b)\r\nc", "  # define A \\\n while (G && (b)) \nc"),
        ("#if A // while (\n#else /* b */\n#endif", "#if A \n#else \n#endif"),
        ("F(while (a)) G2(for (;;))", "F(while (G && (a))) G2(for (;G;))"),
        ("f(vec2(1., .5) * +-1.0e-5)", "f(vec2(1., .5) * +-1.0e-5)"),
    ]) func everyLoopAsks(_ text: String, _ guarded: String) throws {
        let loops = try LoopGuard(text)
        let expected = guarded.replacing("G2", with: "@").replacing("G", with: "vitrail_go()").replacing(
            "@", with: "G2")
        #expect(squeezed(loops.text) == squeezed(expected))
        #expect(text.utf8.count { $0 == 10 } == loops.text.utf8.count { $0 == 10 })
    }

    /// Removes spaces at the ends of lines, and joins several spaces into one.
    private func squeezed(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("a\nwhile (bool b = f()) {}", 2), ("for (int i = 0; bool b = f(i); i++) {}", 1),
        ("\n\nwhile A {}", 3), ("while\n#if A\n(a)\n#endif\n(b) {}", 1), ("for (int i = 0 SEMICOLON i < 9; i++) {}", 1),
        ("for (a; b\n#if A\n && c\n#endif\n; d) {}", 1), ("while (a", 1), ("for (a; b; c; d) {}", 1), ("while", 1),
        ("while (a { }", 1), ("while (a; b) {}", 1), ("while () {}", 1),
        ("\n#define A while", 2), ("#define A for (a; b", 1), ("a\n#define while if\n", 2), ("#define do\n", 1),
        ("#define A a \\\n b \\\n while (b", 3), ("\n#define A ) || (", 2), ("#define A (a", 1),
        ("#define A wh##ile (true)", 1),
        ("#\\\ndefine A(a, b) a##b", 1), ("#/**/define A wh##ile", 1), ("#define \\\n while a", 2),
        ("#define A \\\n # a", 1), ("whi\\\nle (true) {}", 1),
        ("a\n####", 2), ("#if A \\\n # b\n#endif", 1),
        ("\n#define vitrail_go() true", 2), ("a\nbool vitrail_go() { return true; }", 2),
    ]) func whatMayHideALoopIsRefused(_ text: String, _ line: Int) throws {
        let error = try #require(throws: LoopGuard.Refusal.self) { try LoopGuard(text) }
        #expect(error.line == line, "\(error)")
    }

    /// Heads within heads are found in one go, and a line of `#` is one directive.
    @Test func whatIsDeepTakesNoLonger() throws {
        let (open, close) = (String(repeating: "while(", count: 100_000), String(repeating: ")", count: 100_000))
        let loops = try LoopGuard(open + "a" + close)
        #expect(loops.text.count == open.count + close.count + 1 + 100_000 * "vitrail_go() && ()".count)
        #expect(throws: LoopGuard.Refusal.self) { try LoopGuard(open) }
        #expect(throws: LoopGuard.Refusal.self) { try LoopGuard(String(repeating: "#", count: 200_000)) }
    }

    private struct Folder: EffectFolder {
        func text(ofFile name: String) throws(EffectError) -> String { "// A file.\nvoid f() { for (;;) {} }\n" }

        func image(ofFile name: String) throws(EffectError) -> EffectTexture.Image {
            throw EffectError("there is none", file: name)
        }
    }

    @Test func filesAreGuardedAndKeepTheirLines() throws {
        let text = "// A comment.\n#include \"a.glsl\"\nvec4 effect(vec2 uv) {\n    while (uv.x > 0.0) {}  // Why?\n}\n"
        let effect = try Effect(text, file: "x.effect.glsl", folder: Folder())
        #expect(effect.sources.map(\.text).joined().contains("// Why?"))
        #expect(effect.code.map(\.file) == effect.sources.map(\.file))
        #expect(effect.code.map(\.firstLine) == effect.sources.map(\.firstLine))
        let code = effect.code.map(\.text).joined()
        #expect(code.contains("for (;vitrail_go();)") && code.contains("while (vitrail_go() && (uv.x > 0.0)) {}"))
        let error = effect.errorAtLoop("why")
        #expect(error.file == "a.glsl" && error.line == 2 && error.source == "void f() { for (;;) {} }")
        // Built-in effects stay as they are.
        let builtIn = try Effect(text.replacing("#include \"a.glsl\"", with: ""), file: "x.effect.glsl")
        #expect(builtIn.code == builtIn.sources)
        let refusal = try #require(throws: EffectError.self) {
            try Effect("#include \"a.glsl\"\n\n#define A while\n" + text, file: "x", folder: Folder())
        }
        #expect(refusal.file == "x" && refusal.line == 3 && refusal.source == "#define A while")
    }
}

import Testing

@testable import VitrailGLSL

/// Depth is counted along each kind of tree, and only along them.
@Suite struct SyntaxDepthTests {
    private func fits(_ text: String) -> Bool {
        var depth = SyntaxDepth()
        return GLSLToken.tokens(of: text).allSatisfy { depth.take($0) }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test(arguments: [
        "+ a", ".xyzw", "- ", "!", "(", "f(", "[0]", "{", "if (a) ", "while (a) ", "for (;;) ", "do ", "switch (a) {",
        "if (a) b; else ", "if (a) { b; } else ", "a ? b : ", "a ? ", "a, ", "a = ", "(a)", "(a + ", "a[b + ",
        "f(a, b + ",
        "struct {", "return a, ", "for (;; a, b, ", "if (a) { while (b) { ",
    ]) func depthIsBounded(_ piece: String) {
        #expect(fits("void f() { a " + Self.repeated(piece, 20)))
        #expect(!fits("void f() { a " + Self.repeated(piece, 300)))
        // Outside of functions, too.
        #expect(!fits("float a = " + Self.repeated(piece, 300)))
    }

    /// What is beside each other.
    @Test(arguments: [
        "a = b + c;\n", "if (a) { b; }\n", "if (a) b; else c;\n", "f(a + b, c + d);\n", "{ { a; } }\n", "float a, b;\n",
        "for (int i = 0, j = 0; i < 9; i++, j++) { a; }\n", "do { a; } while (b);\n", "case 1: a; break;\n",
        "float f(float a, float b) { return a; }\n", "struct S { float a; vec2 b; };\n", "int a[] = int[](1, 2);\n",
        "while (a) b;\n",
    ]) func statementsAreNotWithinOneAnother(_ statement: String) {
        #expect(fits(Self.repeated(statement, 2000)))
        #expect(fits("void f() {" + Self.repeated(statement, 2000) + "}"))
    }

    @Test(arguments: ["while (a) ", "for (;;) {", "do { ", "switch (a) { case 1: ", "do if (a) { while (b) "])
    func loopsAreCounted(_ loop: String) {
        func loops(_ text: String) -> Int {
            var (depth, most) = (SyntaxDepth(), 0)
            for token in GLSLToken.tokens(of: text) {
                _ = depth.take(token)
                most = max(most, depth.loopDepth)
            }
            return most
        }
        let each = loop.contains("do if") ? 2 : 1
        #expect(loops("void f() { " + Self.repeated(loop, 7)) == 7 * each)
        #expect(loops("void f() { " + Self.repeated("for (;;) { a; } while (b) c; if (a) { for (;;) d; } ", 7)) == 1)
    }

    @Test func argumentsAreBesideOneAnother() {
        #expect(fits("const vec2 a[999] = vec2[](" + Self.repeated("vec2(1.0, 2.0 + b), ", 999) + "c);"))
        #expect(fits("f(" + Self.repeated("a * b, ", 999) + "c);"))
    }
}

import Testing
import VideoWall

/// What a header declares, and what is refused, with the line.
@Suite struct EffectHeaderTests {
    private static let body = "vec4 effect(vec2 uv) { return sample(uv); }\n"

    private static func effect(_ header: String) throws(EffectError) -> Effect {
        try Effect(header + "\n" + body, file: "folder/some-name.effect.glsl")
    }

    @Test func parametersAreDeclared() throws {
        let effect = try Self.effect(
            """
            //! name  A title
            //! about One sentence.
            //! about Another.
            //! param amount float -1 2.5 0.5 "An amount"
            //! param count int 1 8 3
            //! param isOn bool true "On"
            //! param tint color #ff8000 "Tint"
            //! param center point 0.25 0.75 "Center"
            //! param mode choice soft,hard hard "Mode"
            //! param with tile 2 "With"
            //! param table lut "Table"
            """)
        #expect(effect.name == "some-name" && effect.title == "A title" && effect.about == "One sentence. Another.")
        let expected: [EffectValue] = [
            .float(0.5), .int(3), .bool(true), .color(SIMD3(1, 128.0 / 255, 0)), .point(SIMD2(0.25, 0.75)), .choice(1),
            .tile(2), .lut(nil),
        ]
        #expect(effect.parameters.map(\.defaultValue) == expected)
        #expect(effect.parameters.map(\.label)[...2] == ["An amount", "count", "On"])
        #expect(effect.parameters.map(\.values)[0] == "-1 to 2.5")
        for parameter in effect.parameters.dropLast() {
            #expect(parameter.value(parameter.text(of: parameter.defaultValue)) == parameter.defaultValue)
        }
    }

    @Test func passesAreOrderedByWhatTheyRead() throws {
        let effect = try Effect(
            """
            //! pass last scale 0.5
            //! pass first size 64x32
            //! pass counts size 256x1 points 16x9
            vec4 first_pass(vec2 uv) { return sample(uv); }
            #define READ(place) texture(first, place)
            vec4 helper(vec2 uv) { return READ(uv); }
            vec4 last_pass(vec2 uv) { return helper(uv); }
            vec2 counts_place(vec2 uv) { return texture(last, uv).rg; }
            vec4 counts_pass(vec2 uv) { return vec4(1.0); }
            vec4 effect(vec2 uv) { return texture(counts, uv); }
            """, file: "a.effect.glsl")
        #expect(effect.passes.map(\.name) == ["first", "last", "counts"])
        #expect(
            effect.passes.map(\.size) == [.fixed(width: 64, height: 32), .scale(0.5), .fixed(width: 256, height: 1)])
        #expect(effect.passes[2].points == EffectPass.Grid(columns: 16, rows: 9))
        #expect(!effect.traits.isFoldable)
    }

    @Test(arguments: [
        ("//! parm a float 0 1 0", "not one of name"),
        ("//!", "after //!"),
        ("//! param", "a name is missing"),
        ("//! param 1a float 0 1 0", "not a name"),
        ("//! param time float 0 1 0", "every effect has"),
        ("//! param vitrail_x float 0 1 0", "every effect has"),
        ("//! param a", "has no type"),
        ("//! param a vec9 1", "not a type"),
        ("//! param a float 0 1", "MIN MAX DEFAULT"),
        ("//! param a float 0 1 nan", "MIN MAX DEFAULT"),
        ("//! param a float 0 1 2", "in order"),
        ("//! param a int 0 1.5 1", "whole numbers"),
        ("//! param a bool maybe", "true or false"),
        ("//! param a color red", "#RRGGBB"),
        ("//! param a color #-12345", "#RRGGBB"),
        ("//! param a point 0.5", "X Y"),
        ("//! param a point 0.5 1.5", "X Y"),
        ("//! param a choice one,,two one", "different names"),
        ("//! param a choice one,two three", "is one of one, two"),
        ("//! param a tile 0", "from 1"),
        ("//! param a float 0 1 0 \"Label\" more", "nothing more"),
        ("//! pass a scale 9", "0.01 to 4"),
        ("//! pass a size 0x4", "1 to 4096"),
        ("//! pass a points 9", "COLUMNSxROWS"),
        ("//! pass a depth 9", "not one of scale"),
        ("//! pass a", "no function vec4 a_pass"),
        ("//! texture a", "a PNG file's"),
        ("//! texture a b.png mirrored", "not one of nearest"),
        ("//! texture a b.png", "without a folder"),
        ("#version 330", "not allowed"), ("  #  extension all : enable", "not allowed"), ("#line 9", "not allowed"),
        ("#/**/extension all : enable", "not allowed"), ("/**/#/* */ pragma a", "not allowed"),
        ("#include \"other.glsl\"", "without a folder"),
        ("float f() { discard; }", "discard"), ("void main() {}", "no main"),
    ]) func wrongLinesAreNamed(_ line: String, _ reason: String) throws {
        let error = try #require(throws: EffectError.self) { try Self.effect("// A comment.\n\n" + line) }
        #expect(error.line == 3 && error.reason.contains(reason), "\(error)")
        #expect(error.description.hasPrefix("folder/some-name.effect.glsl:3: "))
        #expect(error.source == line)
    }

    @Test(arguments: ["#\\\nversion 330", "#\\\n\\\n extension all : enable"]) func directivesMayHaveLines(
        _ text: String
    ) throws {
        let error = try #require(throws: EffectError.self) { try Self.effect("\n" + text) }
        #expect(error.line == 2 && error.reason.contains("not allowed"), "\(error)")
    }

    @Test func namesAreDeclaredOnce() throws {
        let error = try #require(throws: EffectError.self) {
            try Self.effect("//! param a float 0 1 0\n//! texture a b.png")
        }
        #expect(error.line == 2 && error.reason.contains("twice, here and in line 1"))
    }

    @Test func cyclesAreNamed() throws {
        let text = """
            //! pass a
            //! pass b
            vec4 b_pass(vec2 uv) { return texture(a, uv); }
            vec4 a_pass(vec2 uv) { return texture(b, uv); }
            vec4 effect(vec2 uv) { return texture(b, uv); }
            """
        let error = try #require(throws: EffectError.self) { try Effect(text, file: "x") }
        #expect(error.reason.contains("a → b → a") && error.line == 1)
        let own = text.replacing("texture(b, uv)", with: "texture(a, uv)")
        #expect(throws: EffectError.self) { try Effect(own, file: "x") }
    }

    @Test func variablesHidePasses() throws {
        let text = """
            //! pass most
            vec4 most_pass(vec2 uv) { float most = max(uv.x, uv.y); return vec4(most); }
            vec4 effect(vec2 uv) { return texture(most, uv); }
            """
        #expect(try Effect(text, file: "x").passes.count == 1)
    }

    @Test(arguments: [
        "", "void f() {}", "// vec4 effect(vec2 uv)", "/* vec4 effect(vec2 uv) { return sample(uv); } */",
    ])
    func theFunctionMustExist(_ text: String) throws {
        let error = try #require(throws: EffectError.self) { try Effect(text, file: "x") }
        #expect(error.reason.contains("vec4 effect(vec2 uv)") && error.line == 1)
    }

    @Test func commentsAreClosed() throws {
        let text = "// /*\n/* a */ /* vec4 effect(vec2 uv) {\n"
        let error = try #require(throws: EffectError.self) { try Effect(text, file: "x") }
        #expect(error.reason.contains("comment") && error.line == 2)
    }

    @Test func valuesAreClamped() throws {
        let effect = try Self.effect("//! param a float 0 1 0.5\n//! param b int 1 4 2\n//! param c point 0 0")
        var step = EffectChain.Step(effect)
        #expect(step.set("a", .float(7)) == .float(1) && step.value(of: "a") == .float(1))
        #expect(step.set("b", .int(-7)) == .int(1))
        #expect(step.set("c", .point(SIMD2(-1, 2))) == .point(SIMD2(0, 1)))
        #expect(step.set("a", .int(1)) == nil && step.set("d", .int(1)) == nil)
        #expect(step.set("a", .float(.nan)) == nil && step.value(of: "a") == .float(1))
        // Another version keeps what it still has.
        let next = try Self.effect("//! param b int 2 4 3\n//! param a bool true")
        #expect(EffectChain.Step(next, valuesOf: step).values == [.int(2), .bool(true)])
    }
}

import Testing
import VideoEffects
import VideoWall

@testable import vitrail

/// The keys and the lines that change effects.
struct EffectKnobTests {
    private static let text = """
        //! param a float 0 2 1
        //! param b int 1 5 2
        //! param c bool true
        //! param d choice one,two two
        //! param e point 0.5 0.5
        //! param f color #102030
        //! param g tile 1
        vec4 effect(vec2 uv) { return sample(uv); }
        """

    @Test("Each type of parameter has its steps")
    func steps() throws {
        var chain = EffectChain([
            try Effect("vec4 effect(vec2 uv) { return sample(uv); }", file: "plain"),
            try Effect(Self.text, file: "x.effect.glsl"),
        ])
        var knob = EffectKnob()
        func turn(_ turn: EffectKnob.Turn, mouse: SIMD2<Float>? = nil) -> String {
            knob.perform(turn, on: &chain, mouse: mouse)
        }
        #expect(turn(.change(1)) == "x.a = 1.1")
        #expect(turn(.change(-1)) == "x.a = 1")
        #expect(turn(.choose(1)) == "x.b = 2")
        #expect(turn(.change(-1)) == "x.b = 1")
        #expect(turn(.change(-1)) == "x.b = 1")
        #expect(turn(.choose(1)) == "x.c = true")
        #expect(turn(.change(1)) == "x.c = false")
        #expect(turn(.choose(1)) == "x.d = two")
        #expect(turn(.change(1)) == "x.d = one")
        #expect(turn(.choose(1)) == "x.e = 0.5/0.5")
        #expect(turn(.change(1)) == "x.e = 0.5/0.5 (point at the place)")
        #expect(turn(.change(1), mouse: SIMD2(0.25, 1)) == "x.e = 0.25/1")
        #expect(turn(.choose(1)) == "x.f = 102030")
        #expect(turn(.change(1)) == "x.f = 102030 (set it with --set or --control)")
        #expect(turn(.choose(1)) == "x.g = 1")
        #expect(turn(.change(1)) == "x.g = 2")
        #expect(turn(.choose(1)) == "x.a = 1")
        #expect(turn(.choose(-1)) == "x.g = 2")
        #expect(turn(.toggle) == "effects off" && chain.isEmpty)
        #expect(turn(.toggle) == "effects on" && !chain.isEmpty)
        chain = EffectChain()
        #expect(turn(.toggle) == "there are no effects here")
        chain = EffectChain([try Effect("vec4 effect(vec2 uv) { return sample(uv); }", file: "plain")])
        #expect(turn(.change(1)) == "these effects have no parameters")
    }

    @Test(
        "Lines are read; wrong ones are named",
        arguments: [
            ("{", "standard input: "), ("7", "an object in curly brackets is expected"), ("{}", "use one of do, set"),
            (#"{"set": {"a": []}}"#, "set.a: a text, a number"),
            (#"{"tile": "one", "on": true}"#, "tile: a whole number"),
        ])
    func lines(_ line: String, _ reason: String) throws {
        let error = try #require(throws: EffectError.self) { try ControlCommand(line) }
        #expect(error.description.contains(reason), "\(error)")
    }

    @Test("Values keep their types")
    func values() throws {
        let command = try ControlCommand(#"{"set": {"a": 8, "b": 0.5, "c": true, "d": "one", "e": 8.0}, "tile": 2}"#)
        #expect(command.tile == 2)
        #expect(command.set?.mapValues(\.text) == ["a": "8", "b": "0.5", "c": "true", "d": "one", "e": "8"])
    }
}

import VideoWall
import VitrailGL
import VitrailShaders

/// The GLSL around effects.
enum EffectShader {
    /// The fragment shader of an effect or one of its passes.
    static func fragment(_ kind: EffectProgram.Kind) -> [ShaderSource] {
        let effects = kind.effect.map { [$0] } ?? []
        var parts = prelude(effects + kind.followers) + effects.flatMap { body($0, slot: 0) }
        if kind.pass?.points != nil { return parts + [ShaderSource(ShaderLibrary.effectPointsFragment)] }
        parts += followed(kind.followers)
        var definitions = ["#define FUNCTION \(kind.function)"]
        if !kind.followers.isEmpty { definitions.append("#define FOLLOWED") }
        if kind.isShown { definitions.append("#define SHOWN") }
        if kind.ditherDepth > 0 {
            definitions.append(dither(kind.ditherDepth))
            parts.append(ShaderSource(ShaderLibrary.dither))
        }
        return parts + [text(definitions), ShaderSource(ShaderLibrary.effectFragment)]
    }

    /// The vertex shader of an effect or one of its passes.
    static func vertex(_ kind: EffectProgram.Kind) -> [ShaderSource] {
        guard let effect = kind.effect, let pass = kind.pass, pass.points != nil else {
            return [ShaderSource(ShaderLibrary.effectVertex)]
        }
        let definitions = text(["#define FUNCTION \(kind.function)", "#define PLACE \(pass.name)_place"])
        return prelude([effect]) + body(effect, slot: 0)
            + [definitions, ShaderSource(ShaderLibrary.effectPointsVertex)]
    }

    /// The source after `video.frag.glsl` if effects are folded into the conversion.
    ///
    /// - Parameters:
    ///   - effects: the effects, in order.
    ///   - isShown: whether these are the last effects of the chain.
    /// - Returns: the parts, in order.
    static func folded(_ effects: [Effect], isShown: Bool) -> [ShaderSource] {
        prelude(effects) + followed(effects)
            + [text(isShown ? ["#define SHOWN"] : []), ShaderSource(ShaderLibrary.videoEffectsFragment)]
    }

    /// The definition of the step between two code values of the target, for dithering.
    static func dither(_ depth: Int) -> String { "#define DITHER \(Float(1 / Double((1 << depth) - 1)))" }

    /// Defines `sample` again as the prelude does for OpenGL ES, where it is a reserved word.
    private static let sampleOnES = ["#ifdef GL_ES", "#define sample vitrail_sample", "#endif"]

    private static func text(_ lines: [String]) -> ShaderSource {
        ShaderSource(name: "definitions", text: lines.map { $0 + "\n" }.joined())
    }

    private static func prelude(_ effects: [Effect]) -> [ShaderSource] {
        let loops = effects.contains(where: \.isFile) ? [ShaderSource(ShaderLibrary.effectGuard)] : []
        // A Shadertoy shader is never combined with other effects.
        if effects.first?.dialect == .shadertoy { return [ShaderSource(ShaderLibrary.shadertoyPrelude)] + loops }
        let hasTables = effects.contains { $0.parameters.contains { $0.kind == .lut } }
        return [ShaderSource(ShaderLibrary.effectPrelude)]
            + (hasTables ? [ShaderSource(ShaderLibrary.effectTables)] : []) + loops
    }

    // MARK: Folding

    /// Defines `vec4 vitrail_followed(vec4 value, vec2 uv)`, which applies effects that only change a pixel's colour.
    private static func followed(_ effects: [Effect]) -> [ShaderSource] {
        guard !effects.isEmpty else { return [] }
        var parts: [ShaderSource] = []
        for (index, effect) in effects.enumerated() {
            // Macros rename the globals of each effect, so that effects do not clash. `#undef` first removes macros of
            // the conversion that have these names.
            let names =
                effect.traits.globals + effect.lines.keys.sorted()
                + effect.parameters.flatMap { choices($0).map { "\($0.name)" } }
            let slot = index + 1
            let start = names.flatMap { ["#undef \($0)", "#define \($0) vitrail_\(slot)_\($0)"] }
            parts.append(text(start + ["#undef sample", "#define sample vitrail_inputAt"]))
            parts += body(effect, slot: slot)
            parts.append(text((names + ["sample"]).map { "#undef \($0)" } + sampleOnES))
        }
        let calls = effects.indices.map { index in
            "    vitrail_input = clamp(vitrail_\(index + 1)_effect(uv), 0.0, 1.0);"
        }
        parts.append(
            text(
                ["vec4 vitrail_followed(vec4 value, vec2 uv) {", "    vitrail_input = clamp(value, 0.0, 1.0);"] + calls
                    + ["    return vitrail_input;", "}"]))
        return parts
    }

    // MARK: One effect

    /// An effect, and before it the declarations of its parameters, textures and passes, each with the line number of
    /// its header line.
    private static func body(_ effect: Effect, slot: Int) -> [ShaderSource] {
        func declaration(_ name: String, _ lines: [String]) -> ShaderSource {
            ShaderSource(
                name: effect.file, firstLine: effect.lines[name] ?? 1, text: lines.joined(separator: " ") + "\n")
        }
        return effect.parameters.map { declaration($0.name, declarations(of: $0, slot: slot)) }
            + effect.textures.map { declaration($0.name, ["uniform sampler2D \($0.name);"]) }
            + effect.passes.map { declaration($0.name, ["uniform sampler2D \($0.name);"]) }
            + effect.code.map { ShaderSource(name: $0.file, firstLine: $0.firstLine, text: $0.text) }
            + (effect.dialect == .shadertoy ? [ShaderSource(ShaderLibrary.shadertoyEnd)] : [])
    }

    private static func declarations(of parameter: EffectParameter, slot: Int) -> [String] {
        let name = parameter.name
        switch parameter.kind {
        case .float: return ["uniform float \(name);"]
        case .int: return ["uniform int \(name);"]
        case .bool: return ["uniform bool \(name);"]
        case .color: return ["uniform vec3 \(name);"]
        case .point: return ["uniform vec2 \(name);"]
        case .choice: return ["uniform int \(name);"] + choices(parameter).map { "const int \($0.name) = \($0.index);" }
        case .tile:
            let sampler = tileSampler(name)
            return [
                "uniform sampler2D \(sampler);",
                "vec4 \(name)(vec2 uv) { return clamp(texture(\(sampler), uv), 0.0, 1.0); }",
            ]
        case .lut:
            let table = tableUniforms(name, slot: slot)
            return [
                "uniform sampler2D \(table.sampler); uniform ivec3 \(table.shape);",
                "uniform vec3 \(table.lowest); uniform vec3 \(table.highest);",
                "vec3 \(name)(vec3 color) {",
                "return vitrail_table(\(table.sampler), \(table.shape), \(table.lowest), \(table.highest), color); }",
            ]
        }
    }

    /// The constants of a choice.
    private static func choices(_ parameter: EffectParameter) -> [(name: String, index: Int)] {
        guard case .choice(let names) = parameter.kind else { return [] }
        return names.enumerated().map { ("\(parameter.name)_\($0.element)", $0.offset) }
    }

    /// The sampler of another tile's picture.
    static func tileSampler(_ name: String) -> String { "vitrail_tile_\(name)" }

    /// The uniforms of a table of colours.
    static func tableUniforms(
        _ name: String, slot: Int
    ) -> (sampler: String, shape: String, lowest: String, highest: String) {
        func uniform(_ part: String) -> String { "vitrail_\(slot)_\(part)_\(name)" }
        return (uniform("table"), uniform("shape"), uniform("lowest"), uniform("highest"))
    }

    /// The GLSL name of a uniform: renamed in an effect that is folded (slots from 1), unchanged in slot 0.
    static func uniform(_ name: String, slot: Int) -> String { slot == 0 ? name : "vitrail_\(slot)_\(name)" }
}

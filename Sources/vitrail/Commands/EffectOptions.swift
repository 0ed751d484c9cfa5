import ArgumentParser
import Logging
import VideoEffects
import VideoWall

/// The options that choose effects.
struct EffectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Effects on every tile without ?effect=, as in blur:radius=8,grayscale; vitrail effects lists them.",
            valueName: "chain"))
    var effect: String?

    @Option(
        help: ArgumentHelp(
            "A Shadertoy image shader as the last effect of --effect; iChannel0 is the stream.", valueName: "file"))
    var shadertoy: String?

    @Option(help: ArgumentHelp("Effects on the wall as a whole.", valueName: "chain"))
    var wallEffect: String?

    @Option(help: ArgumentHelp("Effects saved with the key w or by --control.", valueName: "file"))
    var preset: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a parameter of every effect that has it; EFFECT.NAME=VALUE of one effect only.",
            valueName: "name=value"))
    var settings: [String] = []

    /// The effects of a wall.
    struct Chains: Hashable {
        /// The effects of every tile whose input names none.
        var tiles = EffectChain()
        /// The effects on the whole wall.
        var wall = EffectChain()
    }

    /// Reads the chains, and sets parameters in them and in those of inputs.
    ///
    /// - Parameters:
    ///   - inputs: the inputs, whose own chains are changed.
    ///   - logger: where values out of range are reported.
    /// - Returns: the chains.
    /// - Throws: ``ProgramError/Status/usage``.
    func chains(for inputs: inout [InputSpecification], _ logger: Logger) throws(ProgramError) -> Chains {
        var notes = inputs.flatMap(\.options.effectNotes)
        var chains = Chains()
        do throws(EffectError) {
            if let preset { try load(preset, &chains, &inputs, &notes) }
            if let effect { chains.tiles = try EffectChain(effect, notes: &notes) }
            if let shadertoy {
                try chains.tiles.append(EffectChain.Step(try EffectFile.read(shadertoy, .shadertoy)))
            }
            if let wallEffect { chains.wall = try EffectChain(wallEffect, notes: &notes) }
            for text in settings {
                let setting = try EffectSetting(text)
                var count = try setting.apply(to: &chains.tiles, notes: &notes)
                count += try setting.apply(to: &chains.wall, notes: &notes)
                for index in inputs.indices {
                    guard var own = inputs[index].options.effects else { continue }
                    count += try setting.apply(to: &own, notes: &notes)
                    inputs[index].options.effects = own
                }
                guard count > 0 else { throw setting.refusal }
            }
        } catch {
            throw ProgramError(.usage, error.description)
        }
        for note in notes { logger.warning("\(note)") }
        return chains
    }

    /// Gives inputs without effects of their own those of a preset.
    private func load(
        _ path: String, _ chains: inout Chains, _ inputs: inout [InputSpecification], _ notes: inout [String]
    ) throws(EffectError) {
        let preset = try EffectPreset.chains(ofFileAt: path, notes: &notes)
        for index in inputs.indices where preset.tiles.indices.contains(index) && inputs[index].options.effects == nil {
            inputs[index].options.effects = preset.tiles[index]
        }
        chains.wall = preset.wall
    }
}

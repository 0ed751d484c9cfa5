import ArgumentParser
import Logging
import VideoEffects
import VideoWall

/// The options that choose effects.
struct EffectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Effects on every tile without ?effect=, as in blur:radius=8,grayscale; vitrail effects lists them.",
            valueName: "chain"), completion: .list(BuiltInEffects.names))
    var effect: String?

    @Option(
        help: ArgumentHelp(
            "A Shadertoy image shader as the last effect of --effect; iChannel0 is the stream.", valueName: "file"),
        completion: .file())
    var shadertoy: String?

    @Option(
        help: ArgumentHelp("Effects on the wall as a whole.", valueName: "chain"),
        completion: .list(BuiltInEffects.names))
    var wallEffect: String?

    @Option(
        help: ArgumentHelp(
            "Effects that save-effects or “save” of --control has saved, see vitrail view --help.", valueName: "file"),
        completion: .file())
    var preset: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a parameter of every effect that has it; EFFECT.NAME=VALUE of one effect only.",
            valueName: "name=value"))
    var settings: [String] = []

    /// Applies the options to a wall, and checks all effects of it.
    ///
    /// - Parameters:
    ///   - document: the wall.
    ///   - logger: where values out of range are reported.
    /// - Throws: ``ProgramError/Status/usage``.
    func apply(to document: inout WallDocument, _ logger: Logger) throws(ProgramError) {
        var notes: [String] = []
        do throws(EffectError) {
            if let preset { try load(preset, &document, &notes) }
            var tiles = try EffectChain(effect ?? document.look.effects, notes: &notes)
            if let shadertoy {
                try tiles.append(EffectChain.Step(try EffectFile.read(shadertoy, .shadertoy)))
            }
            var wall = try EffectChain(wallEffect ?? document.look.wallEffects, notes: &notes)
            var own: [EffectChain?] = []
            for input in document.inputs {
                guard let text = input.effects else { own.append(nil); continue }
                own.append(try EffectChain(text, notes: &notes))
            }
            for text in settings {
                let setting = try EffectSetting(text)
                var count = try setting.apply(to: &tiles, notes: &notes)
                count += try setting.apply(to: &wall, notes: &notes)
                for index in own.indices {
                    guard var chain = own[index] else { continue }
                    count += try setting.apply(to: &chain, notes: &notes)
                    own[index] = chain
                }
                guard count > 0 else { throw setting.refusal }
            }
            (document.look.effects, document.look.wallEffects) = (tiles.text, wall.text)
            for (index, chain) in own.enumerated() { document.inputs[index].effects = chain?.text }
        } catch {
            throw ProgramError(.usage, error.description)
        }
        for note in notes { logger.warning("\(note)") }
    }

    /// Gives inputs without effects of their own those of a preset.
    private func load(
        _ path: String, _ document: inout WallDocument, _ notes: inout [String]
    ) throws(EffectError) {
        let preset = try EffectPreset.chains(ofFileAt: path, notes: &notes)
        for (index, chain) in preset.tiles.enumerated() where document.inputs.indices.contains(index) {
            document.inputs[index].effects = document.inputs[index].effects ?? chain.text
        }
        document.look.wallEffects = preset.wall.text
    }
}

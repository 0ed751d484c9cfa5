import ArgumentParser
import VideoEffects
import VideoWall

/// `vitrail effects`: the built-in effects and their parameters.
struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects", abstract: "List effects and their parameters.",
        discussion: """
            vitrail effects                    the built-in effects
            vitrail effects blur ./my.glsl     these, with their parameters
            vitrail effects --json             everything as JSON

            How to apply them
              vitrail a.mp4 --effect grayscale              every tile
              vitrail 'a.mp4?effect=blur:radius=12' b.mp4   one tile
              vitrail a.mp4 b.mp4 --wall-effect vignette    the wall as a whole
              vitrail a.mp4 --effect blur,grayscale --set radius=4
            A chain is NAME:PARAMETER=VALUE:…,NAME… A NAME with a full stop or a
            slash is the path of a file. Commas, colons and % in a path or a value
            are written as %2C, %3A and %25.
            """)

    @Argument(help: ArgumentHelp("Effect to describe.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var effects: [Effect] = []
        for name in names.isEmpty ? BuiltInEffects.names : names {
            do throws(EffectError) { effects.append(try EffectChain.effect(name)) } catch {
                throw ProgramError(.usage, error.description)
            }
        }
        let reports = effects.map { EffectReport($0) }
        if json { return try StandardOutput.write(json: ["effects": reports]) }
        if names.isEmpty { return try StandardOutput.write(table: reports.map { [$0.name, $0.about] }) }
        for report in reports {
            try StandardOutput.write("\(report.name): \(report.title). \(report.about)\n")
            try StandardOutput.write(
                table: report.parameters.map { ["  " + $0.name, $0.label, $0.values, "default \($0.defaultValue)"] })
        }
    }
}

/// An effect for people and programs.
struct EffectReport: Encodable {
    /// A parameter.
    struct Parameter: Encodable {
        var name: String
        var label: String
        var type: String
        var values: String
        var defaultValue: String
    }

    var name: String
    var title: String
    var about: String
    var parameters: [Parameter]
    /// Whether it needs no pass of its own.
    var isFoldable: Bool
    /// Whether it changes with time.
    var isAnimated: Bool

    init(_ effect: Effect) {
        name = effect.name
        title = effect.title
        about = effect.about ?? ""
        parameters = effect.parameters.map { parameter in
            Parameter(
                name: parameter.name, label: parameter.label, type: parameter.kind.name, values: parameter.values,
                defaultValue: parameter.text(of: parameter.defaultValue))
        }
        isFoldable = effect.traits.isFoldable
        isAnimated = effect.traits.usesTime
    }
}

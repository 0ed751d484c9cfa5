import ArgumentParser
import Logging
import MediaIO
import VideoEffects
import VideoWall
import WallRendering

/// `vitrail effects`: the built-in effects and their parameters, as text or on a wall.
struct EffectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "effects", abstract: "List effects and their parameters, or show all at once.",
        discussion: """
            vitrail effects                    the built-in effects
            vitrail effects blur ./my.glsl     these, with their parameters
            vitrail effects --json             everything as JSON
            vitrail effects --demo [INPUT]     one stream, an effect in each tile
            vitrail effects --demo a.mp4 --effect blur,./my.effect.glsl
            vitrail effects --demo --output demo.y4m --frames 300    no window

            How to apply them
              vitrail a.mp4 --effect grayscale              every tile
              vitrail 'a.mp4?effect=blur:radius=12' b.mp4   one tile
              vitrail a.mp4 b.mp4 --wall-effect vignette    the wall as a whole
              vitrail a.mp4 --effect blur,grayscale --set radius=4
            A chain is NAME:PARAMETER=VALUE:…,NAME… A NAME with a full stop or a
            slash is the path of a file. Commas, colons and % in a path or a value
            are written as %2C, %3A and %25.
            """)

    @Argument(
        help: ArgumentHelp("Effect to describe; with --demo, the input.", valueName: "name"),
        completion: .list(BuiltInEffects.names))
    var names: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(
        help: "Show an input, or else a test pattern, in a grid: as it is, and with each effect, whose parameters move."
    )
    var demo = false

    @Option(
        help: ArgumentHelp("The effects of --demo instead of all, each in a tile of its own.", valueName: "chain"),
        completion: .list(BuiltInEffects.names))
    var effect: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Render --demo without a window: as of vitrail render.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Size of --demo; by default 1280x720 for the window, 1920x1080 for the output.", valueName: "WxH"))
    var size: VideoSize?

    @OptionGroup(title: "Options of --demo with --output") var times: RenderTimes

    @OptionGroup(title: "Options of --demo in a window") var window: WindowChoices

    func validate() throws {
        guard demo else {
            if effect != nil || output != nil || size != nil {
                throw ValidationError("The options --effect, --output and --size need --demo.")
            }
            return
        }
        if names.count > 1 {
            throw ValidationError("--demo shows one input: choose effects with --effect, as in --effect blur,edge.")
        }
        if json { throw ValidationError("--json lists effects: omit --demo.") }
    }

    func run() throws {
        if demo { return try runDemo() }
        let reports = try Self.effects(names.isEmpty ? BuiltInEffects.names : names).map { EffectReport($0) }
        if json { return try StandardOutput.write(json: ["effects": reports]) }
        if names.isEmpty { return try StandardOutput.write(table: reports.map { [$0.name, $0.about] }) }
        for report in reports {
            let about = report.about.isEmpty ? "" : " \(report.about)"
            try StandardOutput.write("\(report.name): \(report.title).\(about)\n")
            try StandardOutput.write(
                table: report.parameters.map { ["  " + $0.name, $0.label, $0.values, "default \($0.defaultValue)"] })
        }
    }
}

extension EffectsCommand {
    private static func effects(_ names: [String]) throws(ProgramError) -> [Effect] {
        var effects: [Effect] = []
        do throws(EffectError) {
            for name in names { effects.append(try EffectChain.effect(name)) }
        } catch {
            throw ProgramError(.usage, error.description)
        }
        return effects
    }

    /// Shows or renders one input with many effects.
    private func runDemo() throws {
        let files = try TemporaryFiles.removedOnSignals()
        try ResourceCheck.run()
        let logger = LineLogHandler.logger()
        var specification = try InputSpecification(names.first ?? "test:bars")
        let style = PictureStyle()
        let steps = try steps(logger)
        var window = window
        // OpenGL draws effects, so that the CPU would have nothing to draw.
        let reason = window.drawing.renderer == .auto ? "effects need OpenGL" : nil
        if reason != nil { window.drawing.renderer = .gpu }
        do {
            guard let output else {
                // In a window, the demo shows a file again and again.
                if specification.kind.options.contains(.loop), specification.options.loops == nil {
                    specification.options.loops = true
                }
                let size = size ?? VideoSize(width: 1280, height: 720)
                return try window.show(
                    WallDocument(), names, demonstrating: specification, size: size, because: reason, files, logger
                ) { viewer in
                    try viewer.add(specification, steps)
                }
            }
            let demo = try EffectDemo(steps) { style.makeTile(specification, FrameMailbox()) }
            try RenderJob(
                specifications: [specification], inputs: [RenderInput(on: demo.tiles)],
                wall: style.makeWall(GridLayout(gap: 2)),
                output: output, size: size, drawing: window.drawing, decoding: window.decoding.shared(names),
                files: files,
                times: times, logger: logger, reason: reason, demo: demo
            ).run()
        } catch let error as EffectError {
            throw ProgramError(.usage, error.description)
        }
    }

    /// The effects to show: those of --effect, or else all with their default values.
    private func steps(_ logger: Logger) throws(ProgramError) -> [EffectChain.Step] {
        guard let effect else { return try Self.effects(BuiltInEffects.names).map { EffectChain.Step($0) } }
        var notes: [String] = []
        do throws(EffectError) {
            let chain = try EffectChain(effect, notes: &notes)
            for note in notes { logger.warning("\(note)") }
            return chain.steps
        } catch {
            throw ProgramError(.usage, error.description)
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

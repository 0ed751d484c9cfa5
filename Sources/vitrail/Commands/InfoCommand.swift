import ArgumentParser
import HeadlessGL
import MediaIO
import VideoWall
import VitrailGL
import WallRendering

/// `vitrail info`: describes inputs, or this machine's OpenGL.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Describe inputs; without an input, this machine's renderers.",
        discussion: """
            vitrail info clip.mp4 other.y4m
            vitrail info                      version, renderer, OpenGL driver
            vitrail info --json clip.mp4      as JSON

            For the syntax of inputs see vitrail --help. The exit status is 66 if
            none of them can be opened, and 1 if some cannot.
            """)

    @Argument(help: ArgumentHelp("Input to describe.", valueName: "input"), completion: .file())
    var inputs: [String] = []

    @OptionGroup var drawing: RendererOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if inputs.isEmpty { try printMachine() } else { try printInputs() }
    }

    private func printMachine() throws {
        try ResourceCheck.run()
        let chosen = try drawing.make()
        var report = MachineReport(
            version: Vitrail.version,
            renderer: .init(
                kind: chosen.kind.rawValue, name: chosen.renderer.name, reason: chosen.reason,
                upload: chosen.renderer.upload))
        do throws(ProgramError) {
            let context = if let context = chosen.context { context } else { try openHeadlessContext() }
            report.openGL = .init(context.information)
        } catch {
            report.openGLProblem = error.description
        }
        if json { return try StandardOutput.write(json: report) }
        try StandardOutput.write(table: report.rows)
    }

    private func printInputs() throws {
        let inspection = try InputInspection(inputs) { (input, reader) throws(StreamError) in
            InputReport(input: input.typed, info: reader.info)
        }
        try inspection.write(json: json)
    }
}

/// Makes a context without a window.
///
/// - Returns: a context that is current on this thread.
/// - Throws: ``ProgramError/Status/unavailable``.
func openHeadlessContext() throws(ProgramError) -> GLContext {
    do throws(EGLError) {
        return try HeadlessContext.make()
    } catch {
        throw ProgramError(.unavailable, error.description)
    }
}

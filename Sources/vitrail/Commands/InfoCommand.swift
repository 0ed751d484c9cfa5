import ArgumentParser
import HeadlessGL
import MediaIO
import VitrailGL

/// `vitrail info`: describes inputs, or this machine's OpenGL.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Describe inputs; without an input, this machine's OpenGL.",
        discussion: """
            vitrail info clip.mp4 other.y4m
            vitrail info                      version and OpenGL driver
            vitrail info --json clip.mp4      as JSON

            For the syntax of inputs see vitrail --help. The exit status is 66 if
            none of them can be opened, and 1 if some cannot.
            """)

    @Argument(help: ArgumentHelp("Input to describe.", valueName: "input"))
    var inputs: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if inputs.isEmpty { try printMachine() } else { try printInputs() }
    }

    private func printMachine() throws {
        let context = try openHeadlessContext()
        let report = MachineReport(version: Vitrail.version, openGL: .init(context.information))
        if json { return try StandardOutput.write(json: report) }
        try StandardOutput.write(table: report.rows)
    }

    private func printInputs() throws {
        var specifications: [InputSpecification] = []
        for text in inputs { specifications.append(try InputSpecification(text)) }
        var failures = InputFailures(of: specifications.count, LineLogHandler.logger())
        var reports: [InputReport] = []
        for specification in specifications {
            do throws(StreamError) {
                reports.append(InputReport(input: specification.typed, info: try specification.open().info))
            } catch {
                failures.add(error)
            }
        }
        try failures.checkAny()
        if json {
            try StandardOutput.write(json: ["inputs": reports])
        } else {
            for report in reports {
                try StandardOutput.write(report.input + "\n")
                try StandardOutput.write(table: report.rows.map { ["  " + $0[0], $0[1]] })
            }
        }
        try failures.check()
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

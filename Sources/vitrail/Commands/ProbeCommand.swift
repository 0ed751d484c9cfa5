import ArgumentParser
import MediaIO

/// `vitrail probe`: what an input says of its colours, what is taken, and why.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Prints what inputs say of their colours, what is taken, and why.",
        discussion: """
            vitrail probe clip.mp4
            vitrail probe 'clip.mp4?range=full'    with what you say instead
            vitrail probe --json clip.mp4          for programs

            Reads the first picture, which may tell more than the file's header.
            Inputs are named as in vitrail --help. The exit status is 66 when none
            of them can be opened, and 1 when some cannot.
            """)

    @Argument(help: ArgumentHelp("What to look at.", valueName: "input"))
    var inputs: [String]

    @Option(help: ArgumentHelp("As in view and render: auto, exact or off.", valueName: "mode"))
    var color: ColorConversionMode = .auto

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let inspection = try InputInspection(inputs) { (input) throws(StreamError) in
            let reader = try input.open()
            guard let frame = try reader.next() else {
                throw StreamError(.malformed, "\(input.name) has no picture to look at.")
            }
            return ProbeReport(
                input: input.typed, tags: reader.info.colorTags, options: input.options, frame: frame, mode: color)
        }
        try inspection.write(json: json) { report in
            try StandardOutput.write(report.input + "\n")
            try StandardOutput.write(table: report.rows.map { ["  " + $0[0]] + $0.dropFirst() })
            try StandardOutput.write(table: report.colorRows.map { ["  " + $0[0]] + $0.dropFirst() })
        }
    }
}

import ArgumentParser
import MediaIO

/// `vitrail probe`: an input's colour tags, the values used, and why.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Show the colour tags of inputs, the values used, and why.",
        discussion: """
            vitrail probe clip.mp4
            vitrail probe 'clip.mp4?range=full'    with your own range
            vitrail probe --json clip.mp4          as JSON

            Reads the first frame, which may have more tags than the file's header.
            For the syntax of inputs see vitrail --help. The exit status is 66 if
            none of them can be opened, and 1 if some cannot.
            """)

    @Argument(help: ArgumentHelp("Input to probe.", valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(help: ArgumentHelp("Colour conversion, as in view and render: auto, exact or off.", valueName: "mode"))
    var color: ColorConversionMode = .auto

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let inspection = try InputInspection(inputs) { (input, reader) throws(StreamError) in
            guard let frame = try reader.next() else {
                throw StreamError(.malformed, "\(input.name) has no frame to probe.")
            }
            return ProbeReport(input: input.typed, frame: frame, notes: reader.info.colorTagNotes, mode: color)
        }
        try inspection.write(json: json)
    }
}

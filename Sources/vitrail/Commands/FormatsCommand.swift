import ArgumentParser
import MediaIO

/// `vitrail formats`: the names that the command line accepts.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "List pixel formats and their names, inputs, outputs and options.",
        discussion: """
            vitrail formats               everything
            vitrail formats NV12 YUYV     all names of these pixel formats
            vitrail formats --json        everything as JSON

            Every name in the list is accepted where a format is expected, in upper
            or lower case. If a name means different formats in different columns,
            the leftmost column wins, starting with Vitrail's own. To choose another
            one, put ffmpeg: v4l2: gstreamer: webrtc: agora: or zego: before the name.

            Some names also imply colours, unless an option sets others: yuvj420p
            and FFmpeg's other yuvj names range=full and chroma=center, HDYC
            matrix=bt709 and primaries=bt709.
            """)

    @Argument(help: ArgumentHelp("Pixel format, by any of its names.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if names.isEmpty { try printAll() } else { try printNamed() }
    }

    private func printAll() throws {
        let report = FormatsReport()
        if json { return try StandardOutput.write(json: report) }
        func section(_ title: String, _ rows: [[String]]) throws {
            try StandardOutput.write("\(title)\n")
            try StandardOutput.write(table: rows.map { ["  " + $0[0]] + $0.dropFirst() })
        }
        try section("Inputs", report.inputs.map { [$0.name, $0.summary] })
        try section("Outputs", report.outputs.map { [$0.name, $0.summary] })
        try section("Test patterns", report.testPatterns.map { ["test:" + $0.name, $0.summary] })
        try section("Options of an input", report.options.map { [$0.name, $0.summary] })
        let vocabularies = PixelFormat.Vocabulary.allCases
        let title = ["Format", "bits", "planes", "chroma"] + vocabularies.map(\.title)
        let rows = report.pixelFormats.map { format in
            [format.name, "\(format.bits)", "\(format.planes)", format.subsampling]
                + vocabularies.map { format.names[$0.rawValue]?.first ?? "-" }
        }
        // Narrow, so that a row fits a terminal of 80 columns.
        try StandardOutput.write(table: [title] + rows, gap: 1)
    }

    private func printNamed() throws {
        var formats: [FormatsReport.Format] = []
        for name in names {
            guard let format = PixelFormat(named: name) else {
                throw ProgramError(.usage, PixelFormat.refusal(of: name))
            }
            formats.append(FormatsReport.Format(format))
        }
        if json { return try StandardOutput.write(json: ["pixelFormats": formats]) }
        for format in formats {
            try StandardOutput.write("\(format.name): \(format.summary)\n")
            let rows = PixelFormat.Vocabulary.allCases.map { vocabulary in
                ["  " + vocabulary.title, format.line(vocabulary)]
            }
            try StandardOutput.write(table: rows)
        }
    }
}

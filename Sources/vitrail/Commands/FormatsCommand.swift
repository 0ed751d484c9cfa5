import ArgumentParser
import MediaIO
import VideoSources

/// `vitrail formats`: what can be named on the command line.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "Prints the pixel formats, inputs, outputs and names that there are.",
        discussion: """
            vitrail formats          for people
            vitrail formats --json   for programs
            """)

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report = FormatsReport()
        if json { return try StandardOutput.write(json: report) }
        func section(_ title: String, _ rows: [[String]]) throws {
            try StandardOutput.write("\(title)\n")
            try StandardOutput.write(table: rows.map { ["  " + $0[0]] + $0.dropFirst() })
        }
        try section(
            "Pixel formats", report.pixelFormats.map { [$0.name, $0.subsampling, "\($0.planes) planes", $0.summary] })
        try section("Inputs", report.inputs.map { [$0.name, $0.summary] })
        try section("Outputs", report.outputs.map { [$0.name, $0.summary] })
        try section("Test patterns", report.testPatterns.map { ["test:" + $0.name, $0.summary] })
        try section("Options of an input", report.options.map { [$0.name, $0.summary] })
    }
}

/// What `vitrail formats` prints.
struct FormatsReport: Codable, Hashable {
    struct Format: Codable, Hashable {
        var name: String
        var bits: Int
        var planes: Int
        var subsampling: String
        var summary: String
    }

    struct Entry: Codable, Hashable {
        var name: String
        var summary: String
    }

    var pixelFormats = PixelFormat.allCases.map { format in
        Format(
            name: format.rawValue, bits: 8, planes: format.planes.count, subsampling: format.subsampling,
            summary: format.summary)
    }
    var inputs = [
        Entry(name: "y4m", summary: "*.y4m, and - for standard input: raw video that says what it is"),
        Entry(name: "raw", summary: "*.yuv *.raw *.i420 *.nv12: planes and nothing else; needs ?size="),
        Entry(name: "media", summary: "every other file, and URLs: whatever FFmpeg reads"),
        Entry(name: "test", summary: "test:PATTERN: a moving picture that needs no file"),
    ]
    var outputs = [
        Entry(name: "png", summary: "*.png: one picture"),
        Entry(name: "series", summary: "*-%04d.png: a picture a frame"),
        Entry(name: "y4m", summary: "*.y4m, and - for standard output: raw video, I420"),
    ]
    var testPatterns = TestPattern.allCases.map { Entry(name: $0.rawValue, summary: $0.summary) }
    var options = InputOption.allCases.map { Entry(name: $0.rawValue, summary: $0.values) }
    var matrices = ColorSpace.Matrix.allCases.map(\.rawValue)
    var ranges = ColorSpace.Range.allCases.map(\.rawValue)
    var chromaLocations = ChromaLocation.allCases.map(\.rawValue)
}

extension PixelFormat {
    /// The usual name of how much smaller the chroma planes are.
    var subsampling: String {
        let shifts = planes.dropFirst().first.map { ($0.horizontalShift, $0.verticalShift) }
        return switch shifts {
        case (1, 1)?: "4:2:0"
        case (1, 0)?: "4:2:2"
        default: "4:4:4"
        }
    }
}

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
            vitrail probe --latency rtsp://wall/1  how old its pictures are

            Reads the first frame, which may have more tags than the file's header.
            --latency reads the time in the pictures of a sender whose clock is right:
            vitrail view 'test:clock?utc' --no-names --also rtsp://wall/1
            For the syntax of inputs see vitrail --help. The exit status is 66 if
            none of them can be opened, and 1 if some cannot.
            """)

    @Argument(help: ArgumentHelp("Input to probe.", valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(help: ArgumentHelp("Colour conversion, as in view and render: auto, exact or off.", valueName: "mode"))
    var color: ColorConversionMode = .auto

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Measure how old the pictures are of an input that shows test:clock?utc.")
    var latency = false

    @Option(help: ArgumentHelp("For how long, for --latency.", valueName: "seconds"))
    var seconds = 10

    @Option(
        help: ArgumentHelp("The pictures a second of the pattern, for --latency.", valueName: "rate"),
        transform: { text in
            guard let rate = Rational(text), (1...1000).contains(rate.value) else {
                throw ValidationError("it is N or N/D, such as 30 or 30000/1001")
            }
            return rate
        })
    var rate = Rational(30)

    func validate() throws {
        guard (1...3600).contains(seconds) else { throw ValidationError("--seconds is 1 to 3600.") }
    }

    func run() throws {
        guard !latency else {
            let inspection = try InputInspection(inputs) { (input, reader) throws(StreamError) in
                try LatencyReport(input.typed, reader.reader, rate: rate, for: .seconds(seconds))
            }
            return try inspection.write(json: json)
        }
        let inspection = try InputInspection(inputs) { (input, reader) throws(StreamError) in
            guard let frame = try reader.next() else {
                throw StreamError(.malformed, "\(input.name) has no frame to probe.")
            }
            return ProbeReport(input: input.typed, frame: frame, notes: reader.info.colorTagNotes, mode: color)
        }
        try inspection.write(json: json)
    }
}

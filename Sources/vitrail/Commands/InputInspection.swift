import MediaIO

/// A report on one input.
protocol InspectionReport: Encodable {
    /// The input as typed, without secrets.
    var input: String { get }
    /// The text below the input's name.
    var tables: [[[String]]] { get }
}

/// The reports on a command's inputs, except those that cannot be opened.
struct InputInspection<Report: InspectionReport> {
    private var reports: [Report] = []
    private var failures: InputFailures

    /// Opens the inputs; those that cannot be opened are logged.
    ///
    /// - Parameters:
    ///   - inputs: the inputs as typed.
    ///   - inspect: makes the report on one, which is open.
    /// - Throws: ``ProgramError/Status/usage`` for an invalid input, 66 if no input can be opened.
    init(_ inputs: [String], _ inspect: (InputSpecification, OpenInput) throws(StreamError) -> Report) throws {
        var specifications: [InputSpecification] = []
        for text in inputs { specifications += try AddressList.inputs(text) }
        let shared = SharedDecoding(pipelines: PipelinePermission(all: false, arguments: inputs))
        failures = InputFailures(of: specifications.count, LineLogHandler.logger())
        for (index, specification) in specifications.enumerated() {
            do throws(StreamError) {
                reports.append(try inspect(specification, try specification.open(shared: shared)))
            } catch {
                failures.add(error, of: index)
            }
        }
        try failures.checkAny()
    }

    /// Writes the reports to standard output.
    ///
    /// - Parameter json: whether to write them as JSON.
    /// - Throws: the exit status 1 if some inputs could not be opened.
    func write(json: Bool) throws {
        if json {
            try StandardOutput.write(json: ["inputs": reports])
        } else {
            for report in reports {
                try StandardOutput.write(report.input + "\n")
                for table in report.tables {
                    try StandardOutput.write(table: table.map { ["  " + $0[0]] + $0.dropFirst() })
                }
            }
        }
        try failures.check()
    }
}

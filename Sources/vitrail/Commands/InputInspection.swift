import MediaIO

/// Inputs that a command looks at one after the other, and a report of each that could be opened.
struct InputInspection<Report: Encodable> {
    private var reports: [Report] = []
    private var failures: InputFailures

    /// Opens the inputs; those that cannot be opened are logged.
    ///
    /// - Parameters:
    ///   - inputs: as typed.
    ///   - inspect: makes the report of one.
    /// - Throws: ``ProgramError/Status/usage`` for an input that cannot be understood, 66 when none can be opened.
    init(_ inputs: [String], _ inspect: (InputSpecification) throws(StreamError) -> Report) throws {
        var specifications: [InputSpecification] = []
        for text in inputs { specifications.append(try InputSpecification(text)) }
        failures = InputFailures(of: specifications.count, LineLogHandler.logger())
        for (index, specification) in specifications.enumerated() {
            do throws(StreamError) {
                reports.append(try inspect(specification))
            } catch {
                failures.add(error, of: index)
            }
        }
        try failures.checkAny()
    }

    /// Writes the reports to standard output.
    ///
    /// - Parameters:
    ///   - json: as JSON.
    ///   - writeText: writes one as text.
    /// - Throws: the exit status 1 when some inputs could not be opened.
    func write(json: Bool, _ writeText: (Report) throws -> Void) throws {
        if json {
            try StandardOutput.write(json: ["inputs": reports])
        } else {
            for report in reports { try writeText(report) }
        }
        try failures.check()
    }
}

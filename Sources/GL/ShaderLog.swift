/// Turns a driver's log into one that people can act on.
enum ShaderLog {
    /// Replaces the `SOURCE:LINE(COLUMN)` of Mesa and the `SOURCE(LINE)` of NVIDIA at the head of each line by the
    /// file's name and the line's number, and quotes the line.
    static func explain(_ log: String, _ sources: [ShaderSource]) -> String {
        log.split(separator: "\n").map { line in
            guard let place = place(line), sources.indices.contains(place.source) else { return String(line) }
            let source = sources[place.source]
            let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
            let quoted = lines.indices.contains(place.line - 1) ? "\n    \(lines[place.line - 1])" : ""
            return "\(source.name):\(place.line)\(place.rest)\(quoted)"
        }.joined(separator: "\n")
    }

    private static func place(_ line: Substring) -> (source: Int, line: Int, rest: Substring)? {
        let head = line.prefix { $0.isNumber }
        guard let source = Int(head), let separator = line[head.endIndex...].first, separator == ":" || separator == "("
        else { return nil }
        let tail = line[head.endIndex...].dropFirst()
        let digits = tail.prefix { $0.isNumber }
        guard let number = Int(digits) else { return nil }
        var rest = tail[digits.endIndex...]
        // Mesa follows with the column, NVIDIA closes the bracket.
        if let close = rest.firstIndex(of: ")"), separator == "(" || rest.first == "(" {
            rest = rest[rest.index(after: close)...]
        }
        return (source, number, rest)
    }
}

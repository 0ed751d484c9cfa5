import FoundationEssentials
import Glibc

/// Standard output: only requested output goes here, everything else to standard error.
enum StandardOutput {
    /// Prints a value as JSON with its keys in order, so that two runs can be compared.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    static func write(json value: some Encodable) throws(ProgramError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let text = String(decoding: try encoder.encode(value), as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            try send(lines.map(hidingSecrets).joined(separator: "\n") + "\n")
        } catch {
            throw error as? ProgramError ?? ProgramError(.failed, "The result cannot be encoded as JSON: \(error)")
        }
    }

    /// Hides the secrets of the arguments in a line of JSON, but not in its key, nor in a number.
    private static func hidingSecrets(in line: Substring) -> String {
        let start = line.firstRange(of: "\" : ")?.upperBound ?? line.startIndex
        guard line[start...].first(where: { $0 != " " }) == "\"" else { return String(line) }
        return line[..<start] + ArgumentSecrets.hide(in: String(line[start...]))
    }

    /// Prints text, without the secrets of the arguments.
    ///
    /// A closed pipe is not an error: its reader needs no more output.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    static func write(_ text: String) throws(ProgramError) { try send(ArgumentSecrets.hide(in: text)) }

    /// Prints a file, which must be complete: unlike all else, it may have passwords in it.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    static func write(file text: String) throws(ProgramError) { try send(text) }

    private static func send(_ text: String) throws(ProgramError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                return
            } else if errno != EINTR {
                throw OutputFile.failure("standard output", errno)
            }
        }
    }

    /// Prints rows as columns of equal width.
    ///
    /// - Parameters:
    ///   - rows: the cells of each.
    ///   - gap: spaces between two columns.
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    static func write(table rows: [[String]], gap: Int = 2) throws(ProgramError) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + gap) }
            }
            try write(line + "\n")
        }
    }
}

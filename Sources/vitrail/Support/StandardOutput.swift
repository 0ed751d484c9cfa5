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
            try write(String(decoding: encoder.encode(value), as: UTF8.self) + "\n")
        } catch {
            throw error as? ProgramError ?? ProgramError(.failed, "The result cannot be encoded as JSON: \(error)")
        }
    }

    /// Prints text.
    ///
    /// A closed pipe is not an error: the reader needs no more.
    ///
    /// - Throws: ``ProgramError/Status/cannotCreate``.
    static func write(_ text: String) throws(ProgramError) {
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

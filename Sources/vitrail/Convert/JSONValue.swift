import FoundationEssentials
import VitrailSupport

/// Any value of JSON, for files whose fields have several forms, or wrong ones.
enum JSONValue: Decodable, Hashable {
    /// Nothing, or a number beyond all limits.
    case null
    /// True or false.
    case flag(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([JSONValue])
    /// A table, which JSON calls an object.
    case table([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let table = try? container.decode([String: JSONValue].self) {
            self = .table(table)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = (try? container.decode(Bool.self)).map { .flag($0) } ?? .null
        }
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: JSON.
    ///   - line: its first line in the file.
    ///   - subject: what it is, for errors.
    /// - Throws: ``ConversionProblem``, with the line.
    init(_ text: String, line: Int = 1, _ subject: String) throws(ConversionProblem) {
        do {
            try JSONText.checkDepth(text)
            self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            // The error is not shown: it may quote the text. At the end of the text, it names no line.
            let number = "\(error)".firstMatch(of: /around line (\d+)/).flatMap { Int($0.1) }
            let end = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            throw ConversionProblem("\(subject) is not valid JSON.", line: line + (number ?? end) - 1)
        }
    }

    /// A value of a table; ``null`` if there is none, or this is no table.
    subscript(key: String) -> JSONValue {
        guard case .table(let table) = self else { return .null }
        return table[key] ?? .null
    }

    /// The first of some values of a table that is there.
    subscript(keys: [String]) -> JSONValue { keys.lazy.map { self[$0] }.first { $0 != .null } ?? .null }

    /// The text, if it is one that is not blank.
    var text: String? {
        guard case .text(let text) = self, !text.allSatisfy(\.isWhitespace) else { return nil }
        return text
    }

    /// The number, which may stand in a text, too.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The number as a whole one, if it is not too large for one.
    var int: Int? { number.flatMap { abs($0) < 1e9 ? Int($0) : nil } }

    /// True or false, which may stand as 1 or 0, too.
    var flag: Bool? { if case .flag(let flag) = self { flag } else { number.map { $0 != 0 } } }

    /// The values, if it is a list.
    var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }

    /// The values, if it is a table.
    var table: [String: JSONValue]? { if case .table(let table) = self { table } else { nil } }

    /// Two whole numbers: a table of a width and a height, a text such as `4:3`, or one number for both.
    var pair: (width: Int, height: Int)? {
        if let width = self["width"].int, let height = self["height"].int { return (width, height) }
        if let both = int { return (both, both) }
        guard case .text(let text) = self else { return nil }
        let parts = text.split { ":x".contains($0) }.map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
        return (width, height)
    }
}

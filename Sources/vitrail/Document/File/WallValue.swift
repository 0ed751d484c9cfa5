import FoundationEssentials

/// What a wall file says, before it is known what the names mean: the same for TOML and JSON.
enum WallValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case whole(Int)
    /// Any other number; it is finite.
    case number(Double)
    /// True or false.
    case flag(Bool)
    /// A list.
    case list([WallValue])
    /// A table or object.
    case table([String: WallValue])

    /// The text; `nil` if it is something else.
    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The values of the list; `nil` if it is something else.
    var list: [WallValue]? {
        if case .list(let list) = self { return list }
        return nil
    }

    /// The values of the table; `nil` if it is something else.
    var table: [String: WallValue]? {
        if case .table(let table) = self { return table }
        return nil
    }

    /// Lays another value over this one: tables are joined, and everything else is replaced.
    func overlaid(with other: WallValue) -> WallValue {
        guard case .table(let own) = self, case .table(let others) = other else { return other }
        return .table(own.merging(others) { $0.overlaid(with: $1) })
    }
}

extension WallValue {
    /// Has the value of a document.
    ///
    /// - Parameters:
    ///   - value: what is encoded.
    ///   - isComplete: whether values that are the default are included, where there is a way to write them.
    init(encoding value: some Encodable, isComplete: Bool = false) {
        let encoder = JSONEncoder()
        // A document has no such numbers; an encoder that cannot fail needs no error.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        if isComplete, let key = WallTableEncoder.isComplete { encoder.userInfo[key] = true }
        let data = (try? encoder.encode(value)) ?? Data()
        self = (try? JSONOutline.read(Array(data)).value) ?? .table([:])
    }

    /// The value as JSON.
    ///
    /// - Parameters:
    ///   - indentation: the level at which it begins; `nil` for all in one line.
    ///   - path: the keys that lead to it, from which the order of its own follows.
    /// - Returns: text.
    func json(indentation: Int? = nil, path: [String] = []) -> String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .whole(let number): return "\(number)"
        case .number(let number): return "\(number)"
        case .flag(let flag): return "\(flag)"
        case .list(let list):
            let isFlat = list.allSatisfy { $0.list == nil && $0.table == nil }
            let items = list.map { $0.json(indentation: indentation.map { $0 + 1 }, path: path) }
            return Self.joined(items, "[", "]", isFlat ? nil : indentation)
        case .table(let table):
            let items = WallOrder.keys(of: table, at: path).map { key in
                let value = table[key]?.json(indentation: indentation.map { $0 + 1 }, path: path + [key]) ?? ""
                return "\(Self.quoted(key)): \(value)"
            }
            return Self.joined(items, "{", "}", path.count == 2 ? nil : indentation)
        }
    }

    private static func joined(_ items: [String], _ start: String, _ end: String, _ indentation: Int?) -> String {
        guard let indentation, !items.isEmpty else { return start + items.joined(separator: ", ") + end }
        let space = "\n" + String(repeating: "  ", count: indentation)
        return start + items.map { space + "  " + $0 }.joined(separator: ",") + space + end
    }

    /// A text in quotation marks, which both JSON and TOML read.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                // Besides the control characters, those that look like the end of a line.
                if scalar.properties.generalCategory == .control
                    || ["\u{2028}", "\u{2029}", "\u{FEFF}"].contains(scalar)
                {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}

/// Writes TOML.
enum TOMLText {
    /// The comment at the top of a new file.
    static let heading = "# A wall of Vitrail: vitrail FILE shows it, and reads it again when it is saved.\n"

    /// A whole file.
    ///
    /// - Parameters:
    ///   - value: a table of what a wall file has.
    ///   - heading: what precedes it.
    /// - Returns: text that ends with a line break.
    static func document(_ value: WallValue, heading: String = heading) -> String {
        let table = value.table ?? [:]
        let names = WallOrder.keys(of: table, at: [])
        var blocks = [heading]
        let top = names.filter { !WallOrder.tables.contains($0) }
        if !top.isEmpty { blocks.append(statements(table.filter { top.contains($0.key) }, at: [])) }
        for name in names where WallOrder.tables.contains(name) {
            if let inner = table[name]?.table { blocks.append("[\(name)]\n" + statements(inner, at: [name])) }
            blocks += (table[name]?.list ?? []).map { input($0.table ?? [:]) }
        }
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// An input, with its header.
    static func input(_ table: [String: WallValue]) -> String { "[[input]]\n" + statements(table, at: ["input"]) }

    /// A line for each value of a table.
    static func statements(_ table: [String: WallValue], at path: [String]) -> String {
        WallOrder.keys(of: table, at: path).reduce(into: "") { text, name in
            guard let value = table[name] else { return }
            text += statement(name, value, at: path)
        }
    }

    /// A line that sets a value.
    static func statement(_ name: String, _ value: WallValue, at path: [String]) -> String {
        "\(key(name)) = \(inline(value, at: path + [name]))\n"
    }

    /// A value in one line.
    static func inline(_ value: WallValue, at path: [String]) -> String {
        switch value {
        case .list(let list): return "[" + list.map { inline($0, at: path) }.joined(separator: ", ") + "]"
        case .table(let table):
            let members = WallOrder.keys(of: table, at: path).map { name in
                "\(key(name)) = \(table[name].map { inline($0, at: path + [name]) } ?? "")"
            }
            return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
        // A number with an exponent but without a point is a number in TOML, too.
        case .text, .whole, .number, .flag: return value.json()
        }
    }

    private static func key(_ name: String) -> String {
        let isBare = !name.isEmpty && name.utf8.allSatisfy(TOMLOutline.isBare)
        return isBare ? name : WallValue.quoted(name)
    }
}
